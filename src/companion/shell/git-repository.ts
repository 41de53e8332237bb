import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { unsafeSetting } from './git-settings.ts'
import { type Checked, wrong } from './problem.ts'
import { isInside } from './roots.ts'

/** How many repositories may lend objects to one another in a row, as git has it. */
const MAX_LENDERS = 5

/** Asks git for something that has no effect; undefined if it fails. */
export type AskGit = (args: readonly string[]) => Promise<string | undefined>

/**
 * Whether git may read in a folder: its repository must lie in the roots with all it is made of, and must bring no
 * setting that could run a program or show other files.
 */
export async function checkRepository(
  folder: string,
  roots: readonly string[],
  ask: AskGit,
): Promise<Checked<true>> {
  // It lists what is included, and the including itself.
  const own = ownSettings((await ask(['config', '--list', '--includes', '--show-origin', '-z'])) ?? '')
  const file = own[0]?.file
  if (file === undefined) return wrong('noRepository', folder)
  const outside = await outsidePart([await ownFolder(folder), dirname(resolve(folder, file))], roots)
  if (outside !== undefined) return wrong('repositoryOutside', outside, { instead: roots.join(' ') })
  const unsafe = unsafeSetting(own.map(({ setting }) => setting))
  return unsafe === undefined ? { value: true } : wrong('unsafeSetting', unsafe, { instead: folder })
}

/** A setting with its value, and the file that it stands in. */
interface OwnSetting {
  readonly file: string
  readonly setting: string
}

/** The settings that stand in files, of a list in which each is two texts: where it comes from, and what it is. */
function ownSettings(listed: string): OwnSetting[] {
  const texts = listed.split('\0')
  const pairs = texts.flatMap((from, at) => (at % 2 === 0 ? [[from, texts[at + 1] ?? ''] as const] : []))
  return pairs.flatMap(([from, setting]) =>
    from.startsWith('file:') ? [{ file: from.slice(5), setting }] : [],
  )
}

/** A part of a repository that leads out of the roots: a link, or objects borrowed from another repository. */
async function outsidePart(
  folders: readonly string[],
  roots: readonly string[],
): Promise<string | undefined> {
  const parts = [...folders]
  for (const folder of folders) {
    for (const inner of ['.', 'info', 'logs', 'refs']) parts.push(...(await linksIn(join(folder, inner))))
    parts.push(...(await objectParts(join(folder, 'objects'), MAX_LENDERS)))
  }
  for (const part of parts) {
    const real = await realpath(part).catch(() => undefined)
    if (real === undefined || !roots.some((root) => isInside(root, real))) return part
  }
  return undefined
}

/** The folder of the repository's own files: `.git`, or, in another working tree of it, what that names. */
async function ownFolder(folder: string): Promise<string> {
  const named = join(folder, '.git')
  const pointer = await readFile(named, 'utf8').catch(() => '')
  const target = /^gitdir: (.*)$/m.exec(pointer)?.[1]
  return target === undefined ? named : resolve(folder, target)
}

async function objectParts(objects: string, lenders: number): Promise<string[]> {
  const links = await Promise.all(['.', 'pack', 'info'].map((inner) => linksIn(join(objects, inner))))
  const lending = lenders > 0 ? await borrowed(objects) : []
  const further = await Promise.all(lending.map((other) => objectParts(other, lenders - 1)))
  return [...links.flat(), ...lending, ...further.flat()]
}

async function linksIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name))
}

async function borrowed(objects: string): Promise<string[]> {
  const text = await readFile(join(objects, 'info', 'alternates'), 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => resolve(objects, line))
}
