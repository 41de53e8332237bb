/** 96 random bits as 24 hexadecimal digits, which nobody can guess. */
export function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
