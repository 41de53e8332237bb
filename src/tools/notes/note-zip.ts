import type { StorageError } from '../../storage/storage-error.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { type ExportName, exportNames, manifestName } from './export-names.ts'
import type { ImportReason, NoteError } from './note-error.ts'
import { packZip, type ZipFile } from './pack-zip.ts'
import { type Unpacked, unpackZip } from './unpack-zip.ts'

/** What an export gives. */
export interface NoteExport {
  /** A zip of Markdown files in UTF-8. */
  readonly zip: Blob
  /** How many notes are in it. */
  readonly notes: number
  /**
   * Notes that would be one file on some system, such as `A.md` and `a.md` on Windows and macOS: the first keeps its
   * name, the others have another one in the zip. An import of the zip gives them their own paths back.
   */
  readonly clashes: readonly { readonly path: string; readonly exportedAs: string }[]
}

/** What an import did with the files of the zip. */
export interface NoteImport {
  /** The paths of the notes that were made. */
  readonly added: readonly string[]
  /** The paths of the notes that were there, with the same text. */
  readonly unchanged: readonly string[]
  /** The files that were not brought in, by their name in the zip. */
  readonly refused: readonly { readonly name: string; readonly error: NoteError | StorageError }[]
}

/** What an import needs of the notes. */
export interface ImportTarget {
  checkPath(path: string): string
  read(path: string): Promise<string | undefined>
  /** Makes a note; throws when there is one. */
  add(path: string, text: string): Promise<void>
  problem(reason: ImportReason): NoteError
}

const maxArchiveBytes = 100_000_000
const maxFileBytes = 2_000_000
const textFile = /\.(?:md|markdown|txt)$/i

/** Packs notes into a zip. A note that is gone by then is left out. */
export async function exportNotes(
  paths: readonly string[],
  read: (path: string) => Promise<string | undefined>,
): Promise<NoteExport> {
  const exported: ExportName[] = []
  const bytesOf = (text: string) => new TextEncoder().encode(text)
  async function* files(): AsyncGenerator<ZipFile> {
    for (const named of exportNames(paths)) {
      const text = await read(named.path)
      if (text === undefined) continue
      exported.push(named)
      yield { name: named.name, bytes: bytesOf(text) }
    }
    const renamed = exported.filter(({ name, path }) => name !== path)
    if (renamed.length > 0) yield { name: manifestName, bytes: bytesOf(manifest(renamed)) }
  }
  const zip = await packZip(files())
  const clashes = exported.filter((named) => named.clashes)
  return {
    zip,
    notes: exported.length,
    clashes: clashes.map(({ path, name }) => ({ path, exportedAs: name })),
  }
}

/** Makes notes of the text files in a zip. */
export async function importNotes(archive: Blob, target: ImportTarget): Promise<NoteImport> {
  const added: string[] = []
  const unchanged: string[] = []
  const refused: Refused[] = []
  const files = await unpack(archive, target)
  const paths = readManifest(files.get(manifestName))
  for (const [name, bytes] of files) {
    if (name === manifestName) continue
    try {
      const path = target.checkPath(paths.get(name) ?? name)
      const text = readText(bytes, target)
      const isThere = (await target.read(path)) === withLineEnd(text)
      if (!isThere) await target.add(path, text)
      if (isThere) unchanged.push(path)
      else added.push(path)
    } catch (error) {
      if (!isRefusal(error)) throw error
      refused.push({ name, error })
    }
  }
  return { added, unchanged, refused }
}

type Refused = NoteImport['refused'][number]

async function unpack(archive: Blob, { problem }: ImportTarget): Promise<Unpacked> {
  if (archive.size > maxArchiveBytes) throw problem('size')
  const bytes = new Uint8Array(await archive.arrayBuffer())
  try {
    return unpackZip(bytes, {
      isWanted: (name) => textFile.test(name) || name === manifestName,
      maxFileBytes,
      maxTotalBytes: maxArchiveBytes,
    })
  } catch (error) {
    throw problem(error instanceof RangeError ? 'size' : 'zip')
  }
}

function readText(bytes: Uint8Array | 'too-large' | 'unwanted', { problem }: ImportTarget): string {
  if (bytes === 'unwanted') throw problem('type')
  if (bytes === 'too-large') throw problem('size')
  const text = decode(bytes)
  if (!text) throw problem('text')
  return text
}

function manifest(renamed: readonly { readonly name: string; readonly path: string }[]): string {
  const paths = Object.fromEntries(renamed.map(({ name, path }) => [name, path]))
  return `${JSON.stringify({ paths }, null, 2)}\n`
}

function readManifest(bytes: Uint8Array | string | undefined): ReadonlyMap<string, string> {
  try {
    const read: unknown = JSON.parse((bytes instanceof Uint8Array && decode(bytes)) || '')
    const paths = isRecord(read) && isRecord(read.paths) ? Object.entries(read.paths) : []
    return new Map(paths.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map()
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

function isRefusal(error: unknown): error is NoteError | StorageError {
  return error instanceof Error && (error.name === 'NoteError' || error.name === 'StorageError')
}
