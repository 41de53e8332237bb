import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createShell } from '../../../../src/companion/shell/create-shell.ts'
import { knownPrograms } from '../../../../src/companion/shell/plan-words.ts'
import type { CommandResult, Shell, ShellOptions } from '../../../../src/companion/shell/shell.ts'

/** What no output may ever hold. */
export const SECRET = 'CANARY-SECRET-5b1f'

/** A folder with a project in it, and what is around it: secrets, and a program that leaves a trace when it runs. */
export interface Fixture {
  /** All of it. */
  readonly base: string
  /** The root of the shell: a git repository. */
  readonly project: string
  /** Outside of the root; its file `secret.txt` holds the secret. */
  readonly outside: string
  /** A program that leaves a trace, whatever it is given. */
  readonly evil: string
  /** Whether something left a trace since the last look; takes it away. */
  ranEvil(): boolean
  /** All that is in and around the project, with the content of its files. */
  look(): string
  git(...args: string[]): string
  shell(options?: Partial<ShellOptions>): Promise<Shell>
  remove(): void
}

const AUTHOR = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' }
const GIT_ENVIRONMENT = {
  ...AUTHOR,
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
}

export function makeFixture(): Fixture {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'offstage-shell-')))
  const at = (...parts: string[]): string => join(base, ...parts)
  const traces = at('traces')
  for (const folder of ['project/src', 'project-evil', 'outside', 'traces'])
    mkdirSync(at(folder), { recursive: true })
  writeFileSync(at('outside', 'secret.txt'), `${SECRET}\n`)
  writeFileSync(at('project-evil', 'x'), `${SECRET}\n`)
  const evil = at('project', 'evil.sh')
  writeFileSync(evil, `#!/bin/sh\necho ran > '${traces}/evil'\n`)
  chmodSync(evil, 0o755)
  const project = at('project')
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: project, env: { ...process.env, ...GIT_ENVIRONMENT }, encoding: 'utf8' })
  fillProject(project, git)
  return {
    base,
    project,
    outside: at('outside'),
    evil,
    ranEvil() {
      const found = readdirSync(traces)
      for (const name of found) rmSync(join(traces, name))
      return found.length > 0
    },
    look: () => lookAt(base).join('\n'),
    git,
    shell: (options) => createShell({ allow: knownPrograms, roots: [project], ...options }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

function fillProject(project: string, git: Fixture['git']): void {
  const write = (name: string, text: string): void => writeFileSync(join(project, name), text)
  git('init', '-q', '-b', 'main')
  write('README.md', '# Project\n\nHello, world.\n')
  write('src/a.ts', 'export const a = 1\nexport const b = 2\n')
  git('add', '.')
  git('commit', '-q', '-m', 'First commit')
  git('tag', 'v1')
  write('src/a.ts', 'export const a = 1\nexport const b = 3 // TODO #42\n')
  write('my notes.txt', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n')
  write('-dash.txt', 'dash\n')
  git('add', '.')
  git('commit', '-q', '-m', 'Second commit')
  git('branch', 'feature')
  write('README.md', '# Project\n\nHello, world!\n')
  symlinkSync('../outside', join(project, 'link-out'))
  symlinkSync('../outside/secret.txt', join(project, 'link-file'))
  symlinkSync('../outside/nothing', join(project, 'dangling'))
  symlinkSync('src', join(project, 'link-in'))
}

function lookAt(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // Reading commands refresh nothing, so git's own files count as well.
    if (entry.isDirectory()) return [path, ...lookAt(path)]
    return entry.isFile() ? [`${path} ${readFileSync(path).toString('base64')}`] : [path]
  })
}

/** Plans a command, and runs it if it is not refused. */
export async function attempt(
  shell: Shell,
  command: string,
): Promise<CommandResult | { refused: true; code: string; text: string }> {
  const plan = await shell.plan(command)
  return plan.refused ? plan : shell.run(plan)
}

/** What the system's shell makes of a command: shows that a trap works. */
export function runUnguarded(command: string, folder: string): Promise<string> {
  return new Promise((settle) => {
    const settings = { cwd: folder, timeout: 10_000 }
    const child = execFile('/bin/sh', ['-c', command], settings, (_error, output, complaints) =>
      settle(output + complaints),
    )
    child.stdin?.end()
  })
}
