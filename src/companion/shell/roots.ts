import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path'
import { type Checked, wrong } from './problem.ts'

/** What stands at a path. `missing`: nothing, in a folder inside the roots. */
export type PathKind = 'file' | 'folder' | 'missing'

/** Folders of the system that are no data: files there are devices, or the memory of programs. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev']

/** The folders that commands may read. */
export interface Roots {
  /** Links resolved, in the order in which they were given. */
  readonly folders: readonly string[]
  /** What stands at a path as a command in `folder` would find it, if that is inside the roots once links are resolved. */
  check(path: string, folder: string): Promise<Checked<PathKind>>
  /** The root that a path leads to, if it leads to one itself. */
  rootAt(path: string, folder: string): Promise<string | undefined>
}

/**
 * Opens the roots: each is resolved once, so that a root that is a link (as `/tmp` is on macOS) is the folder it leads
 * to.
 *
 * @throws Error if one is no folder, holds the whole disk, or belongs to the system.
 */
export async function openRoots(paths: readonly string[]): Promise<Roots> {
  if (paths.length === 0) throw new Error('A shell needs a root: name a folder that commands may read.')
  const folders = await Promise.all(paths.map(openRoot))
  return {
    folders,
    check: (path, folder) => checkPath(path, folder, folders),
    rootAt: async (path, folder) => {
      const found = await follow(resolveAsGiven(folder, path))
      return folders.find((root) => root === found?.real)
    },
  }
}

async function openRoot(path: string): Promise<string> {
  const real = await realpath(resolve(path)).catch(() => undefined)
  if (real === undefined || !(await stat(real)).isDirectory()) {
    throw new Error(`The root ${path} is no folder. Name one that exists.`)
  }
  if (real === parse(real).root || isSystem(real)) {
    throw new Error(`The root ${path} is too wide or belongs to the system. Name a folder of your own files.`)
  }
  return real
}

async function checkPath(path: string, folder: string, roots: readonly string[]): Promise<Checked<PathKind>> {
  if (path === '' || path === '-') return wrong('noPath', path)
  const found = await follow(resolveAsGiven(folder, path))
  if (found === undefined) return wrong('unreadablePath', path)
  if (isSystem(found.real) || !roots.some((root) => isInside(root, found.real))) {
    return wrong('outsideRoots', path, { instead: roots.join(' ') })
  }
  if (found.missing) return { value: 'missing' }
  const { isFile, isDirectory } = await kindOf(found.real)
  if (!isFile && !isDirectory) return wrong('noFile', path)
  return { value: isFile ? 'file' : 'folder' }
}

/** Joined without taking `..` away: the system goes up from where a link leads, not from where it stands. */
function resolveAsGiven(folder: string, path: string): string {
  return parse(path).root === '' ? `${folder}${sep}${path}` : path
}

async function kindOf(real: string): Promise<{ isFile: boolean; isDirectory: boolean }> {
  const found = await stat(real).catch(() => undefined)
  return { isFile: found?.isFile() ?? false, isDirectory: found?.isDirectory() ?? false }
}

/**
 * Where a path leads, by the system's own resolution. If nothing is there, that of the nearest folder above, unless a
 * link or a `..` makes it unsure where the rest would lead: then undefined.
 */
async function follow(path: string): Promise<{ real: string; missing: boolean } | undefined> {
  try {
    return { real: await realpath(path), missing: false }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined
  }
  const trimmed = path.replace(/(?<=.)[\\/]+$/, '')
  const name = basename(trimmed)
  if (name === '..' || name === '.' || dirname(trimmed) === trimmed) return undefined
  // A link to nothing: what is created there later would be read.
  if (await lstat(trimmed).catch(() => undefined)) return undefined
  const above = await follow(dirname(trimmed))
  return above && { real: join(above.real, name), missing: true }
}

/** Whether a path is a folder or in it, segment by segment: `/project-evil` is not in `/project`. Links are not resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && parse(way).root === '')
}

function isSystem(real: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => isInside(folder, real))
}
