const lineEnd = 10
const chunkBytes = 4_096

/** Reads the bytes from one place to another. */
export type ReadBytes = (from: number, to: number) => Uint8Array | Promise<Uint8Array>

/** How many of a file's bytes are whole lines: what stands behind the last line end was cut off in mid-write. */
export async function wholeLinesSize(size: number, read: ReadBytes): Promise<number> {
  // Nearly always the last byte is a line end.
  for (let to = size, length = 1; to > 0; length = chunkBytes) {
    const from = Math.max(0, to - length)
    const index = (await read(from, to)).lastIndexOf(lineEnd)
    if (index >= 0) return from + index + 1
    to = from
  }
  return 0
}
