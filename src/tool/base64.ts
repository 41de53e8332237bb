/** A call with more arguments than this may exceed the stack. */
const chunkBytes = 0x8000

/** Bytes as base64 text. */
export function base64(data: ArrayBuffer | Uint8Array): string {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
  let text = ''
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    text += String.fromCharCode(...bytes.subarray(start, start + chunkBytes))
  }
  return btoa(text)
}
