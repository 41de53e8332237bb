import { type BigIntStats, existsSync } from 'node:fs'
import { access, constants, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'

/** A program as it was found at the start. */
export interface ProgramFile {
  /** What it is called by: a program that is many in one goes by that. */
  readonly name: string
  /** Its file, links resolved. */
  readonly path: string
  /** Device, inode, time of change and size. */
  readonly identity: string
}

/** Who owns a file and who may write to it. */
export type Ownership = Pick<BigIntStats, 'uid' | 'mode'>

const OTHERS_WRITE = 0o002
const STICKY = 0o1000

const POSIX_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin']

/** Files that are many programs in one, with the flags of the GNU programs, chosen by the name they are called by. */
const MANY_IN_ONE = ['coreutils', 'uutils', 'uu-coreutils']

/** Where programs are looked for if nothing else is said: folders that only the system's owner can change. */
export function systemFolders(platform: NodeJS.Platform = process.platform): string[] {
  if (platform !== 'win32') return POSIX_FOLDERS.filter((folder) => existsSync(folder))
  const programs = process.env.ProgramFiles ?? 'C:\\Program Files'
  return [`${programs}\\Git\\cmd`, `${programs}\\Git\\usr\\bin`]
}

/**
 * Finds a program by its name in trusted folders, once. A folder that others may write to counts as not there: they
 * could put a program of theirs in it.
 *
 * @param withRules - Whether the name has built-in rules: then the file must be that program, and no other under its name.
 * @throws Error that says why there is none.
 */
export async function findProgram(
  name: string,
  folders: readonly string[],
  withRules: boolean,
): Promise<ProgramFile> {
  const byUser = isAbsolute(name)
  if (!byUser && basename(name) !== name) {
    throw new Error(
      `The program ${name} is named by a part of a path. Write its name alone, or its whole path.`,
    )
  }
  const found = byUser && !withRules ? [name] : folders.map((folder) => join(folder, fileName(name)))
  const faults: string[] = []
  for (const path of found) {
    const real = await realpath(path).catch(() => undefined)
    if (real === undefined) continue
    const fault =
      (await untrusted(path, byUser)) ??
      (await untrusted(real, byUser)) ??
      (withRules ? misnamed(name, real) : undefined)
    const identity = await identityOf(real)
    if (fault === undefined && identity !== undefined) return { name: basename(name), path: real, identity }
    faults.push(fault ?? `${real} cannot be read.`)
  }
  const why = faults.length > 0 ? faults.join(' ') : `None of these has it: ${folders.join(', ')}.`
  throw new Error(`The program ${name} cannot be used. ${why} Install it, or leave it out.`)
}

/** On Windows only what has a format of its own: a command file (.bat, .cmd) reads its arguments as commands. */
export function fileName(name: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? `${name}.exe` : name
}

/**
 * Why a name or file cannot be started safely on Windows, if so: `.bat` and `.cmd` files are read by the shell of
 * Windows, which takes `&`, `%` and `^` in any argument for its own (CVE-2024-27980).
 */
export function commandFileFault(
  path: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (platform !== 'win32' || /\.exe$/i.test(path.replace(/[. ]+$/, ''))) return undefined
  return `${path} is no .exe file: Windows would read the arguments of a .bat or .cmd file as commands. Name the program that the file starts, such as node with the path of a script.`
}

/** Whether only these owners can change a file, or what a folder holds. */
export function isTrusted({ uid, mode }: Ownership, owners: readonly number[]): boolean {
  return owners.includes(Number(uid)) && (Number(mode) & OTHERS_WRITE) === 0
}

/** A folder such as /tmp further up: others may put files into it, but not move or replace those that are not theirs. */
function isShared({ uid, mode }: Ownership, owners: readonly number[]): boolean {
  return owners.includes(Number(uid)) && (Number(mode) & STICKY) !== 0
}

/** Those of some folders that only the owner of the system can change. */
export async function trustedFolders(folders: readonly string[]): Promise<string[]> {
  if (process.platform === 'win32') return [...folders]
  const faults = await Promise.all(folders.map((folder) => changeable(folder, [0])))
  return folders.filter((_folder, at) => faults[at] === undefined)
}

/** @param byUser - Whether the user wrote down the path: then it may also belong to the user. */
async function untrusted(path: string, byUser: boolean): Promise<string | undefined> {
  if (process.platform === 'win32') return commandFileFault(path)
  const owners = byUser ? [0, process.getuid?.() ?? 0] : [0]
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || !(await canRun(path))) return `${path} is no program.`
  return changeable(path, owners, dirname(path))
}

/** What of a path others than its owners can change, itself or a folder above, if anything. */
async function changeable(
  path: string,
  owners: readonly number[],
  folder = path,
): Promise<string | undefined> {
  for (let part = path; ; part = dirname(part)) {
    const found = await stat(part, { bigint: true }).catch(() => undefined)
    if (found === undefined) return `${part} cannot be read.`
    const isNear = part === path || part === folder
    if (!isTrusted(found, owners) && (isNear || !isShared(found, owners))) {
      return `${part} can be changed by others than ${owners.length > 1 ? 'its user' : "the system's owner"}.`
    }
    if (part === dirname(part)) return undefined
  }
}

async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/**
 * Why a file is not the program whose name led to it, if so. A link may give a harmless name to an interpreter, or to a
 * program (busybox, toybox) with flags that the rules do not know: the file must be called as the program is, or be
 * known to be it.
 */
export function misnamed(name: string, real: string): string | undefined {
  const file = basename(real).replace(/\.exe$/i, '')
  if ([name, `g${name}`, `gnu${name}`, ...MANY_IN_ONE].includes(file)) return undefined
  return `${name} is a link to ${real}, whose flags may be others.`
}

/** What a file is told from another by, in the same place; undefined if there is none. */
export async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found && [found.dev, found.ino, found.mtimeNs, found.size].join(':')
}
