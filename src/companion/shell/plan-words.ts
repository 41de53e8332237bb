import { createHash } from 'node:crypto'
import { arrange } from './arrange.ts'
import { fileGrammars } from './file-grammars.ts'
import { arrangeFind } from './find-expression.ts'
import { arrangeGit, type GitCommand } from './git-command.ts'
import { gitEnvironment } from './git-environment.ts'
import { type AskGit, checkRepository } from './git-repository.ts'
import { type Checked, wrong } from './problem.ts'
import type { ProgramFile } from './program-file.ts'
import { readArguments, type Word } from './read-arguments.ts'
import type { Roots } from './roots.ts'
import { MAX_ARGV_BYTES } from './split-command.ts'

/** The names of all programs with built-in rules. */
export const knownPrograms: readonly string[] = ['git', 'find', 'echo', ...Object.keys(fileGrammars)]

/** What commands may be made of. */
export interface Allowed {
  /** Programs with built-in rules, by name. */
  readonly programs: ReadonlyMap<string, ProgramFile>
  /** Whole commands of other programs. */
  readonly templates: readonly { readonly argv: readonly string[]; readonly file: ProgramFile }[]
  readonly roots: Roots
  /** Asks git, in a folder and an environment. */
  readonly askGit: (folder: string, environment: Readonly<Record<string, string>>) => AskGit
}

/** A command with all that is needed to run it. */
export interface PlannedCommand {
  readonly words: readonly string[]
  readonly argv: readonly string[]
  readonly file: ProgramFile
  readonly folder: string
  readonly digest: string
  /** Variables that its program needs on top of the usual ones. */
  readonly environment: Readonly<Record<string, string>>
}

/** What the words of a command would run, if the rules allow it. Has no effect. */
export async function planWords(
  words: readonly string[],
  allowed: Allowed,
): Promise<Checked<PlannedCommand>> {
  const fault = faultOfWords(words)
  if (fault) return fault
  const template = allowed.templates.find(({ argv }) => isSame(argv, words))
  const folder = allowed.roots.folders[0] ?? ''
  if (template) {
    const argv = [template.file.name, ...words.slice(1)]
    return { value: planned(words, argv, template.file, folder, {}) }
  }
  const [name = '', ...rest] = words
  const file = allowed.programs.get(name)
  if (file === undefined) return wrong('unknownProgram', name, { instead: commandsOf(allowed).join(', ') })
  const arranged = await arrangeFor(
    name,
    rest.map((text, at) => ({ text, position: at + 2 })),
    folder,
    allowed,
  )
  if ('problem' in arranged) return arranged
  const environment = name === 'git' ? gitEnvironment(arranged.value.folder) : {}
  const argv = [name, ...arranged.value.words]
  return { value: planned(words, argv, file, arranged.value.folder, environment) }
}

/** The programs, and the templates as a person would write them. */
export function commandsOf({ programs, templates }: Allowed): string[] {
  return [...programs.keys(), ...templates.map(({ argv }) => argv.map(quoted).join(' '))]
}

function quoted(word: string): string {
  return /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function faultOfWords(words: readonly string[]) {
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0)
  if (bytes > MAX_ARGV_BYTES)
    return wrong('tooLong', `${bytes} bytes`, { instead: `${MAX_ARGV_BYTES} bytes` })
  const unsendable = words
    .map((word) => /\0|\p{Surrogate}/u.exec(word)?.[0])
    .find((sign) => sign !== undefined)
  return unsendable === undefined ? undefined : wrong('unsendable', unsendable)
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at])
}

async function arrangeFor(
  program: string,
  words: readonly Word[],
  folder: string,
  allowed: Allowed,
): Promise<Checked<GitCommand>> {
  const place = { folder, roots: allowed.roots, program }
  if (program === 'git') return arrangeInRepository(words, allowed, folder)
  if (program === 'echo') return { value: { folder, words: words.map(({ text }) => text) } }
  const arranged = program === 'find' ? await arrangeFind(words, place) : await arrangeByTable(words, place)
  return 'problem' in arranged ? arranged : { value: { folder, words: arranged.value } }
}

async function arrangeByTable(
  words: readonly Word[],
  place: Parameters<typeof arrange>[2],
): Promise<Checked<string[]>> {
  const grammar = fileGrammars[place.program]
  if (grammar === undefined) return wrong('unknownProgram', place.program)
  const given = readArguments(words, grammar, place.program)
  return 'problem' in given ? given : arrange(given.value, grammar, place)
}

async function arrangeInRepository(
  words: readonly Word[],
  allowed: Allowed,
  folder: string,
): Promise<Checked<GitCommand>> {
  const { roots, askGit } = allowed
  const arranged = await arrangeGit(words, { folder, roots, program: 'git' })
  if ('problem' in arranged) return arranged
  const ask = askGit(arranged.value.folder, gitEnvironment(arranged.value.folder, false))
  const checked = await checkRepository(arranged.value.folder, roots.folders, ask)
  return 'problem' in checked ? checked : arranged
}

function planned(
  words: readonly string[],
  argv: readonly string[],
  file: ProgramFile,
  folder: string,
  environment: Readonly<Record<string, string>>,
): PlannedCommand {
  const digest = createHash('sha256')
    .update(JSON.stringify([argv, file.path, folder]))
    .digest('hex')
  return { words, argv, file, folder, digest, environment }
}
