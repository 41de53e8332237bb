/** A random id with a prefix. `crypto.randomUUID` is missing on insecure pages; `getRandomValues` is not. */
export function randomId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `${prefix}_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
