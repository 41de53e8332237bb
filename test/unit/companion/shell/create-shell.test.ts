import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemFolders } from '../../../../src/companion/shell/program-file.ts'
import type { CommandResult, Plan, RunOptions, Shell } from '../../../../src/companion/shell/shell.ts'
import { shellTextsZh } from '../../../../src/companion/shell/shell-texts-zh.ts'
import { attempt, type Fixture, makeFixture } from './shell-fixture.ts'

const scripts = {
  child: 'sleep 300 & echo $!; sleep 300',
  leftover: 'sleep 300 & echo $!',
  escaped: 'setsid sleep 300 & echo $!; sleep 0.5',
  exit: 'echo out; echo err >&2; exit 3',
  split: "printf '\\344\\270'; sleep 0.2; printf '\\255\\n'",
  clipboard: "printf 'a\\033]52;c;aGk=\\007b\\033[31mc'",
  signal: 'kill -TERM $$',
  home: 'ls -A "$HOME"; echo "[$HOME]"',
} as const

let fixture: Fixture
let shell: Shell

beforeAll(async () => {
  process.env.TAVILY_API_KEY = 'key-of-the-companion'
  fixture = makeFixture()
  const templates = [
    ...Object.values(scripts).map((script) => ['sh', '-c', script]),
    ['yes'],
    ['cat'],
    ['env'],
  ]
  shell = await fixture.shell({
    templates: templates.map((argv) => ({ argv })),
    env: { NODE_ENV: 'test' },
    allow: ['echo', 'ls', 'pwd'],
  })
})

afterAll(async () => {
  delete process.env.TAVILY_API_KEY
  await shell.close()
  fixture.remove()
})

async function run(command: string, options?: RunOptions): Promise<CommandResult> {
  const plan = await shell.plan(command)
  if (plan.refused) throw new Error(plan.text)
  return shell.run(plan, options)
}

function runScript(name: keyof typeof scripts, options?: RunOptions): Promise<CommandResult> {
  return run(`sh -c '${scripts[name].replaceAll("'", "'\\''")}'`, options)
}

/** Whether a process is still running; one that has ended may wait for its parent to see it. */
function runs(pid: string): boolean {
  try {
    process.kill(Number(pid), 0)
    return !/^\S+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('a program and all that it started is killed', () => {
  test('at the deadline', async () => {
    const result = await runScript('child', { timeoutMs: 500 })
    const [child = ''] = result.text.split('\n')
    expect(child).toMatch(/^\d+$/)
    await vi.waitFor(() => expect(runs(child)).toBe(false))
    expect(result).toMatchObject({ status: 'error', exitCode: null, truncated: true })
    expect(result.text).toContain('stopped after 0.5 seconds')
  })

  test('when the caller gives up', async () => {
    const giveUp = new AbortController()
    let child = ''
    const result = await runScript('child', {
      signal: giveUp.signal,
      onOutput: (text) => {
        child += text.trim()
        giveUp.abort()
      },
    })
    await vi.waitFor(() => expect(runs(child)).toBe(false))
    expect(result).toMatchObject({ status: 'error', signal: 'SIGKILL' })
    expect(await runScript('child', { signal: AbortSignal.abort() })).toMatchObject({ status: 'error' })
  })

  test('when it ends and leaves others behind, for which nobody waits', async () => {
    const result = await runScript('leftover')
    expect(result).toMatchObject({ status: 'success', exitCode: 0 })
    await vi.waitFor(() => expect(runs(result.text)).toBe(false))
  })

  test('and what took itself out of its reach is not waited for', async () => {
    const result = await runScript('escaped')
    expect(result).toMatchObject({ status: 'success', text: expect.stringMatching(/^\d+$/) })
    expect(runs(result.text)).toBe(true)
    process.kill(Number(result.text), 'SIGKILL')
  })

  test('at too much output, of which the start is kept', async () => {
    const result = await run('yes', { maxOutputChars: 1000 })
    expect(result).toMatchObject({ status: 'partial', truncated: true, signal: 'SIGKILL' })
    expect(result.text).toBe(
      `${'y\n'.repeat(499)}y\n[The output was cut after 1000 characters, and the program stopped. Ask for less of it.]`,
    )
    expect((await run('yes')).text.length).toBeLessThan(4200)
    const wider = { maxOutputChars: Number.NaN, timeoutMs: -1 }
    expect((await run('yes', wider)).text.length).toBeLessThan(4200)
  })

  test('when the companion ends, and its empty home folder is taken away', async () => {
    const pids = join(fixture.base, 'pids')
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: 'src/companion/shell/create-shell.ts',
        outDir: join(fixture.base, 'built'),
        minify: false,
      },
    })
    const script = `
      import { existsSync } from 'node:fs'
      import { createShell } from './built/create-shell.js'
      const argv = ['sh', '-c', 'sleep 300 & echo "$! $$" > ${pids}.new; mv ${pids}.new ${pids}; sleep 300']
      const shell = await createShell({ allow: [], roots: ['.'], templates: [{ argv }] })
      const plan = await shell.plan(shell.commands[0])
      shell.run(plan)
      setInterval(() => existsSync('${pids}') && process.exit(), 20)`
    writeFileSync(join(fixture.base, 'companion.mjs'), script)
    const temporary = join(fixture.base, 'temporary')
    mkdirSync(temporary)
    const companion = spawn(process.execPath, ['companion.mjs'], {
      cwd: fixture.base,
      env: { ...process.env, TMPDIR: temporary },
      stdio: 'inherit',
    })
    expect(await new Promise((settle) => companion.on('exit', settle))).toBe(0)
    const [child = '', leader = ''] = readFileSync(pids, 'utf8').trim().split(' ')
    await vi.waitFor(() => expect([runs(child), runs(leader)]).toEqual([false, false]))
    expect(readdirSync(temporary)).toEqual([])
  })

  test('when the shell is closed, which also takes the empty home folder away', async () => {
    const other = await fixture.shell({
      allow: [],
      templates: [{ argv: ['sh', '-c', `${scripts.home}; sleep 300`] }],
    })
    const plan = (await other.plan(other.commands[0] ?? '')) as Plan
    const result = await other.run(plan, { onOutput: () => void other.close() })
    const home = /\[(.*offstage-home.*)\]/.exec(result.text)?.[1] ?? ''
    expect(result.status).toBe('error')
    await vi.waitFor(() => expect(existsSync(home)).toBe(false))
    expect(await other.run(plan)).toMatchObject({ status: 'error' })
  })
})

describe('the result of a command', () => {
  test('shows an exit code that is not 0, and what was complained of', async () => {
    expect(await runScript('exit')).toEqual({
      text: 'out\nerr\n[The program ended with exit code 3.]',
      status: 'partial',
      exitCode: 3,
      signal: null,
      truncated: false,
      argv: ['sh', '-c', scripts.exit],
      program: expect.stringMatching(/^\/.*sh$/),
      folder: fixture.project,
    })
  })

  test('joins a character that came in two pieces', async () => {
    const pieces: string[] = []
    const result = await runScript('split', { onOutput: (text) => pieces.push(text) })
    expect(result.text).toBe('中')
    expect(pieces.join('')).toBe('中\n')
  })

  test('holds nothing that a terminal would obey', async () => {
    expect((await runScript('clipboard')).text).toBe('abc')
  })

  test('names the signal that ended it', async () => {
    expect(await runScript('signal')).toMatchObject({
      status: 'partial',
      text: '(no output)\n[The program was ended by the signal SIGTERM.]',
    })
  })

  test('of a program that reads its input comes at once: there is none', async () => {
    expect(await run('cat')).toMatchObject({ status: 'success', text: '(no output)' })
  })

  test('shows a program by the name that it was called by', async () => {
    expect((await attempt(shell, 'ls nothing')).text).toMatch(/^ls: /)
  })
})

describe('a program is given', () => {
  test('a small environment with an empty home, and what the user adds', async () => {
    const lines = (await run('env')).text.split('\n').map((line) => line.split('=')[0])
    expect(lines.sort()).toEqual(
      [...['HOME', 'LANG', 'LC_ALL', 'NODE_ENV', 'NO_COLOR', 'PATH', 'TERM', 'TMPDIR', 'TZ']].sort(),
    )
    expect((await runScript('home')).text).toMatch(/^\[.*offstage-home-\w+\]$/)
  })

  test.each([
    'LD_PRELOAD',
    'DYLD_X',
    'NODE_OPTIONS',
    'GIT_SSH_COMMAND',
    'BASH_ENV',
    'PATH',
    'HTTPS_PROXY',
    'A_TOKEN',
    'a b',
  ])('no variable %s, which is refused at the start', async (name) => {
    await expect(fixture.shell({ env: { [name]: 'x' } })).rejects.toThrow(name)
  })
})

describe('a plan', () => {
  test('shows exactly what will run, and has no effect', async () => {
    const git = await fixture.shell({ allow: ['git', 'grep'] })
    expect(await git.plan("git log -2 'my notes.txt'")).toEqual({
      refused: false,
      words: ['git', 'log', '-2', 'my notes.txt'],
      argv: [
        ...[
          'git',
          '--no-pager',
          '--no-optional-locks',
          '--literal-pathspecs',
          'log',
          '--no-ext-diff',
          '--no-textconv',
        ],
        ...['--ignore-submodules=all', '-n', '2', '--', 'my notes.txt'],
      ],
      program: expect.stringMatching(/^\/.*\/git$/),
      folder: fixture.project,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await git.plan('grep -in5 "- x" src README.md')).toMatchObject({ code: 'unknownFlag' })
    expect(await git.plan('grep -inC5 -- "-x" src')).toMatchObject({
      argv: [
        'grep',
        '-D',
        'skip',
        '--binary-files=without-match',
        '-i',
        '-n',
        '-C',
        '5',
        '-e',
        '-x',
        '--',
        'src',
      ],
    })
    await git.close()
  })

  test('has the same digest when it is made again, and another for another command', async () => {
    const digests = await Promise.all(
      ['echo a', 'echo  a', 'echo b', 'pwd'].map((command) => shell.plan(command)),
    )
    const [one, same, ...others] = digests.map((plan) => (plan as Plan).digest)
    expect(same).toBe(one)
    expect(new Set([one, ...others]).size).toBe(3)
  })

  test('that was changed afterwards does not run', async () => {
    const plan = (await shell.plan('echo hello')) as Plan
    const changed = { ...plan, words: ['echo', 'other'] }
    expect(await shell.run(changed)).toMatchObject({
      status: 'error',
      text: expect.stringContaining('no longer what was agreed'),
    })
    expect(await shell.run({ ...plan, words: ['rm', 'README.md'] })).toMatchObject({ status: 'error' })
    expect(await shell.run({ ...plan, argv: ['rm', 'README.md'], program: '/bin/rm' })).toMatchObject({
      text: 'hello',
    })
    expect(await shell.run({ ...plan, words: ['echo', 'a\0'] })).toMatchObject({ status: 'error' })
    expect(await shell.run({ ...plan, words: ['echo', 'a'.repeat(70_000)] })).toMatchObject({
      status: 'error',
    })
  })

  test('of a template is that template, word by word', async () => {
    expect(await shell.plan('cat README.md')).toMatchObject({ code: 'unknownProgram' })
    expect(await shell.plan("sh -c 'echo hi'")).toMatchObject({ code: 'unknownProgram' })
    expect(await shell.plan('env -i')).toMatchObject({ refused: true })
  })
})

describe('a program of a template at a path that the user wrote down', () => {
  test('runs until its file is another one', async () => {
    const mine = join(fixture.base, 'tool')
    writeFileSync(mine, '#!/bin/sh\necho one\n')
    chmodSync(mine, 0o755)
    const own = await fixture.shell({ allow: [], templates: [{ argv: [mine, 'a b'] }] })
    const plan = (await own.plan(own.commands[0] ?? '')) as Plan
    expect(await own.run(plan)).toMatchObject({ text: 'one' })
    rmSync(mine)
    writeFileSync(mine, readFileSync(fixture.evil))
    chmodSync(mine, 0o755)
    expect(await own.run(plan)).toMatchObject({
      status: 'error',
      text: expect.stringContaining('has changed since the start'),
    })
    expect(fixture.ranEvil()).toBe(false)
    await own.close()
  })
})

test('a refusal can be in Chinese, and in words of the app', async () => {
  const other = await fixture.shell({ texts: { ...shellTextsZh, empty: () => 'Nothing.' } })
  expect(await other.plan('rm x')).toMatchObject({ text: expect.stringContaining('不在可运行的命令之列') })
  expect(await other.plan('')).toMatchObject({ text: 'Nothing.' })
  await other.close()
})

test.each([
  ['a program without rules', { allow: ['sed'] }, 'no rules for "sed"'],
  ['a program by its path', { allow: ['/bin/ls'] }, 'no rules for'],
  [
    'a program that is not there',
    { programFolders: ['/nowhere'] },
    'cannot be used. None of these has it: /nowhere',
  ],
  ['an empty template', { templates: [{ argv: [] }] }, 'A template is a list of words'],
  ['a template by half a path', { templates: [{ argv: ['./x'] }] }, 'by a part of a path'],
  ['no time', { timeoutMs: 0 }, 'timeoutMs is 0'],
])('%s is refused at the start', async (_what, options, text) => {
  await expect(fixture.shell(options)).rejects.toThrow(text)
})

test('programs in a folder that others may write to are not taken', async () => {
  const folder = join(fixture.base, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'ls'), readFileSync(fixture.evil))
  chmodSync(join(folder, 'ls'), 0o755)
  chmodSync(folder, 0o777)
  await expect(fixture.shell({ allow: ['ls'], programFolders: [folder] })).rejects.toThrow(
    'can be changed by others',
  )
  expect(readdirSync(folder)).toEqual(['ls'])
  const folders = [folder, ...systemFolders()]
  const other = await fixture.shell({
    allow: ['ls'],
    programFolders: folders,
    templates: [{ argv: ['env'] }],
  })
  expect((await attempt(other, 'env')).text).not.toContain(folder)
  await other.close()
})
