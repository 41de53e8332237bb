import { Unzip, type UnzipFile, UnzipInflate } from 'fflate'

/** What is unpacked, and how much of it. */
export interface UnpackRules {
  isWanted(name: string): boolean
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
}

/** The files of a zip by name; `too-large` and `unwanted` ones are left in it. */
export type Unpacked = ReadonlyMap<string, Uint8Array | 'too-large' | 'unwanted'>

// Deflate makes at most 1,032 bytes of one, so that a step gives 17 MB at most before anything is counted.
const stepBytes = 16_384

const localHeader = 0x04034b50
const endOfDirectory = 0x06054b50
const endBytes = 22
const maxCommentBytes = 65_535

/**
 * Unpacks a zip. No size that it declares is believed: it ends as soon as there is more than the rules allow, and when
 * a file or the list at its end is cut off.
 *
 * @throws {@link RangeError} when it unpacks to more than the rules allow, `Error` when it is no whole zip.
 */
export function unpackZip(archive: Uint8Array, rules: UnpackRules): Unpacked {
  const expected = countFiles(archive)
  const unpacked = new Map<string, Uint8Array | 'too-large' | 'unwanted'>()
  let seen = 0
  let total = 0
  const count = (bytes: number) => {
    total += bytes
    if (total > rules.maxTotalBytes) throw new RangeError('the zip unpacks to too much')
  }
  const unzip = new Unzip((file) => {
    seen += 1
    if (file.name.endsWith('/')) return
    if (!rules.isWanted(file.name)) unpacked.set(file.name, 'unwanted')
    else if ((file.originalSize ?? 0) > rules.maxFileBytes) unpacked.set(file.name, 'too-large')
    else unpackFile(file, rules.maxFileBytes, count, (bytes) => unpacked.set(file.name, bytes))
  })
  unzip.register(UnzipInflate)
  for (let from = 0; from < archive.length; from += stepBytes) {
    unzip.push(archive.subarray(from, from + stepBytes), from + stepBytes >= archive.length)
  }
  if (seen !== expected) throw new Error(`the zip lists ${expected} files and holds ${seen}`)
  return unpacked
}

function unpackFile(
  file: UnzipFile,
  maxBytes: number,
  count: (bytes: number) => void,
  done: (bytes: Uint8Array) => void,
): void {
  const chunks: Uint8Array[] = []
  let size = 0
  file.ondata = (error, chunk, isLast) => {
    if (error) throw error
    size += chunk.length
    count(chunk.length)
    if (size > maxBytes) throw new RangeError(`${file.name} unpacks to too much`)
    chunks.push(chunk)
    if (!isLast) return
    const bytes = new Uint8Array(size)
    let at = 0
    for (const part of chunks) {
      bytes.set(part, at)
      at += part.length
    }
    if (size !== (file.originalSize ?? size))
      throw new Error(`${file.name} has not the size that it declares`)
    done(bytes)
  }
  file.start()
}

/** How many files the list at the end of a zip names (PKWARE's APPNOTE.TXT, 4.3.16). */
function countFiles(archive: Uint8Array): number {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const last = archive.length - endBytes
  for (let at = last; at >= 0 && at >= last - maxCommentBytes; at -= 1) {
    if (view.getUint32(at, true) !== endOfDirectory) continue
    const files = view.getUint16(at + 10, true)
    if (files === 0 || view.getUint32(0, true) === localHeader) return files
  }
  throw new Error('this is no zip')
}
