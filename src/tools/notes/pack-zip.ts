/** A file to pack. */
export interface ZipFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

const maxFiles = 65_535
const stored = 0
const deflated = 8
const namesInUtf8 = 0x0800
const neededVersion = 20

/**
 * Packs files into a zip (PKWARE's APPNOTE.TXT, 4.3), one after the other as they come. The browser makes them smaller
 * in a thread of its own, so that the one that calls is free meanwhile. Each size stands in front of its file: behind
 * it, the text of a note could pass for one.
 *
 * @throws RangeError for more than 65,535 files, which a zip cannot name.
 */
export async function packZip(files: AsyncIterable<ZipFile>): Promise<Blob> {
  const parts: BlobPart[] = []
  const directory: BlobPart[] = []
  let offset = 0
  let directorySize = 0
  let count = 0
  const time = dosTime(new Date())
  for await (const { name, bytes } of files) {
    if (count === maxFiles) throw new RangeError(`A zip names at most ${maxFiles} files.`)
    count += 1
    const smaller = await deflate(bytes)
    const isSmaller = smaller !== undefined && smaller.length < bytes.length
    const data = isSmaller ? smaller : bytes
    const nameBytes = new TextEncoder().encode(name)
    const common = [
      ...[u16(neededVersion), u16(namesInUtf8), u16(isSmaller ? deflated : stored), u32(time)],
      ...[u32(checksum(bytes)), u32(data.length), u32(bytes.length), u16(nameBytes.length), u16(0)],
    ]
    const local = join([u32(0x04034b50), ...common, nameBytes])
    const entry = [u32(0x02014b50), u16(neededVersion), ...common, new Uint8Array(10), u32(offset), nameBytes]
    const listed = join(entry)
    parts.push(local, data)
    directory.push(listed)
    offset += local.length + data.length
    directorySize += listed.length
  }
  const end = [u32(0x06054b50), u32(0), u16(count), u16(count), u32(directorySize), u32(offset), u16(0)]
  return new Blob([...parts, ...directory, join(end)], { type: 'application/zip' })
}

/** Undefined where the browser cannot: then a file is stored as it is. */
async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let stream: CompressionStream
  try {
    stream = new CompressionStream('deflate-raw')
  } catch {
    return undefined
  }
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer())
}

function u16(value: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(value, value >>> 8)
}

function u32(value: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24)
}

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

/** The date above the time, each in 16 bits; seconds in steps of two. */
function dosTime(date: Date): number {
  const day = ((date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate()
  return (day << 16) | (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1)
}

const checksums = Uint32Array.from({ length: 256 }, (_, index) => {
  let sum = index
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

/** CRC-32, as a zip wants it. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (checksums[(sum ^ byte) & 0xff] ?? 0)
  return ~sum >>> 0
}
