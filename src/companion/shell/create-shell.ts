import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failedResult, resultOf } from './command-result.ts'
import { checkEnvironment, commandEnvironment } from './environment.ts'
import type { AskGit } from './git-repository.ts'
import { type Allowed, commandsOf, knownPrograms, type PlannedCommand, planWords } from './plan-words.ts'
import { refusalOf } from './problem.ts'
import { findProgram, identityOf, type ProgramFile, systemFolders, trustedFolders } from './program-file.ts'
import { openRoots } from './roots.ts'
import { runProcess } from './run-process.ts'
import type { CommandResult, Plan, Refusal, RunOptions, Shell, ShellOptions } from './shell.ts'
import { type ShellTexts, shellTextsEn } from './shell-texts.ts'
import { splitCommand } from './split-command.ts'

const TIMEOUT_MS = 10_000
const MAX_OUTPUT_CHARS = 4_000
/** What a timer takes. */
const MAX_LIMIT = 2_147_483_647
const GIT_ANSWER_BYTES = 1_000_000

/**
 * Makes a shell: it runs single commands of known programs without any shell of the system in between. Programs are
 * found, and roots opened, now and once; the companion must be started again to see others.
 *
 * @throws Error that names what is wrong in the options: a program without rules or not found in a trusted folder, a
 *   root that is no folder, a variable that must not reach a program.
 */
export async function createShell(options: ShellOptions): Promise<Shell> {
  const { env = {}, programFolders = systemFolders(), timeoutMs = TIMEOUT_MS } = options
  const { maxOutputChars = MAX_OUTPUT_CHARS } = options
  checkEnvironment(env)
  checkLimit('timeoutMs', timeoutMs)
  checkLimit('maxOutputChars', maxOutputChars)
  const [programs, templates, roots] = await Promise.all([
    findPrograms(options.allow, programFolders),
    findTemplates(options.templates ?? [], programFolders),
    openRoots(options.roots),
  ])
  const home = await mkdtemp(join(tmpdir(), 'offstage-home-'))
  const environment = commandEnvironment(home, await trustedFolders(programFolders), env)
  const askGit: Allowed['askGit'] = (folder, added) =>
    gitIn(folder, { ...environment, ...added }, programs.get('git'))
  const allowed = { programs, templates, roots, askGit }
  return shellOver({
    allowed,
    environment,
    home,
    timeoutMs,
    maxOutputChars,
    texts: { ...shellTextsEn, ...options.texts },
    closed: new AbortController(),
  })
}

function checkLimit(name: string, value: number): void {
  if (Number.isInteger(value) && value > 0 && value <= MAX_LIMIT) return
  throw new Error(`${name} is ${value}. Give a whole number above 0, up to ${MAX_LIMIT}.`)
}

/** A limit for one run: what is no limit, or a wider one, changes nothing. */
function narrowed(asked: number | undefined, limit: number): number {
  return asked !== undefined && asked > 0 && asked < limit ? Math.ceil(asked) : limit
}

async function findPrograms(
  names: readonly string[],
  folders: readonly string[],
): Promise<Map<string, ProgramFile>> {
  const strange = names.find((name) => !knownPrograms.includes(name))
  if (strange !== undefined) {
    throw new Error(
      `There are no rules for ${JSON.stringify(strange)}: only for ${knownPrograms.join(', ')}. Write its whole commands as templates instead.`,
    )
  }
  const found = names.map(async (name) => [name, await findProgram(name, folders, true)] as const)
  return new Map(await Promise.all(found))
}

async function findTemplates(
  templates: readonly { readonly argv: readonly string[] }[],
  folders: readonly string[],
): Promise<Allowed['templates']> {
  return Promise.all(
    templates.map(async ({ argv }) => {
      const [name] = argv
      if (!name || !argv.every((word) => typeof word === 'string' && !word.includes('\0'))) {
        throw new Error(
          `A template is a list of words, such as ["npm", "test"], not ${JSON.stringify(argv)}.`,
        )
      }
      return { argv: [...argv], file: await findProgram(name, folders, false) }
    }),
  )
}

function gitIn(folder: string, environment: Record<string, string>, file: ProgramFile | undefined): AskGit {
  return (args) =>
    new Promise((settle) => {
      const settings = { cwd: folder, env: environment, timeout: TIMEOUT_MS, maxBuffer: GIT_ANSWER_BYTES }
      if (file === undefined) settle(undefined)
      else execFile(file.path, [...args], settings, (error, output) => settle(error ? undefined : output))
    })
}

interface ShellParts {
  readonly allowed: Allowed
  readonly environment: Readonly<Record<string, string>>
  readonly home: string
  readonly timeoutMs: number
  readonly maxOutputChars: number
  readonly texts: ShellTexts
  readonly closed: AbortController
}

function shellOver(parts: ShellParts): Shell {
  const { allowed, texts, closed, home } = parts
  const removeHome = (): void => rmSync(home, { recursive: true, force: true })
  process.on('exit', removeHome)
  return {
    commands: commandsOf(allowed),
    roots: allowed.roots.folders,
    async plan(command) {
      const split = splitCommand(command)
      const checked = 'problem' in split ? split : await planWords(split.value, allowed)
      return 'problem' in checked ? refusalOf(checked.problem, texts) : planOf(checked.value)
    },
    run: (plan, options) => runPlan(plan, options ?? {}, parts),
    async close() {
      closed.abort()
      process.off('exit', removeHome)
      await rm(home, { recursive: true, force: true })
    },
  }
}

function planOf({ words, argv, file, folder, digest }: PlannedCommand): Plan {
  return { refused: false, words, argv, program: file.path, folder, digest }
}

async function runPlan(plan: Plan, options: RunOptions, parts: ShellParts): Promise<CommandResult> {
  const { allowed, texts, closed } = parts
  const again = await planWords(plan.words, allowed)
  const fault = 'problem' in again ? refusalOf(again.problem, texts) : await changed(plan, again.value, texts)
  if (fault || 'problem' in again) return failedResult(plan, fault?.text ?? '')
  const timeoutMs = narrowed(options.timeoutMs, parts.timeoutMs)
  const maxOutputChars = narrowed(options.maxOutputChars, parts.maxOutputChars)
  const end = await runProcess({
    program: again.value.file.path,
    argv: again.value.argv,
    folder: again.value.folder,
    environment: { ...parts.environment, ...again.value.environment },
    timeoutMs,
    maxOutputChars,
    signal: options.signal ? AbortSignal.any([options.signal, closed.signal]) : closed.signal,
    onOutput: options.onOutput,
  })
  return resultOf(planOf(again.value), end, { timeoutMs, maxOutputChars }, texts)
}

async function changed(plan: Plan, again: PlannedCommand, texts: ShellTexts): Promise<Refusal | undefined> {
  if (again.digest !== plan.digest)
    return refusalOf({ code: 'changedPlan', found: plan.argv.join(' ') }, texts)
  const { path, identity } = again.file
  return (await identityOf(path)) === identity
    ? undefined
    : refusalOf({ code: 'changedProgram', found: path }, texts)
}
