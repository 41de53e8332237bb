/** How many bytes base64 text stands for, without decoding it; spaces in it count as if they were none. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding)
}

/** The bytes of base64 text, also of its form for addresses (RFC 4648 §5); undefined when it is none. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = new Uint8Array(binary.length)
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
    return bytes
  } catch {
    return undefined
  }
}

/** Base64 text without the `data:…;base64,` that some servers put in front of it. */
export function withoutDataPrefix(text: string): string {
  return text.replace(/^data:[^,]{0,200};base64,/i, '')
}
