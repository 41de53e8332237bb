import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  commandFileFault,
  fileName,
  findProgram,
  isTrusted,
  misnamed,
  systemFolders,
} from '../../../../src/companion/shell/program-file.ts'

let base: string

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'offstage-programs-')))
  mkdirSync(join(base, 'open'))
  writeFileSync(join(base, 'tool'), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(join(base, 'open/tool'), '#!/bin/sh\n', { mode: 0o755 })
  chmodSync(join(base, 'open'), 0o777)
  symlinkSync(join(base, 'open/tool'), join(base, 'link-to-open'))
  linkSync(join(base, 'tool'), join(base, 'plain'))
  writeFileSync(join(base, 'data'), 'x', { mode: 0o644 })
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

test('I16 on Windows only a file with a format of its own is a program, and its full path is used', () => {
  const refused = [
    'C:\\x\\tool.cmd',
    'C:\\x\\tool.bat',
    'C:\\x\\TOOL.CMD',
    'tool.cmd.',
    'tool.bat ',
    'tool',
    'tool.exe.cmd',
  ]
  for (const path of refused) expect(commandFileFault(path, 'win32'), path).toContain('is no .exe file')
  for (const path of ['C:\\x\\git.exe', 'C:\\x\\GIT.EXE'])
    expect(commandFileFault(path, 'win32')).toBeUndefined()
  expect(commandFileFault('/usr/bin/tool.cmd', 'linux')).toBeUndefined()
  expect(fileName('git', 'win32')).toBe('git.exe')
  expect(fileName('tool.cmd', 'win32')).toBe('tool.cmd.exe')
  for (const folder of systemFolders('win32')) expect(folder).toMatch(/^[A-Z]:\\/)
})

test('only what its owner alone can change is trusted', () => {
  expect(isTrusted({ uid: 0n, mode: 0o100755n }, [0])).toBe(true)
  expect(isTrusted({ uid: 1000n, mode: 0o100755n }, [0])).toBe(false)
  expect(isTrusted({ uid: 1000n, mode: 0o100755n }, [0, 1000])).toBe(true)
  expect(isTrusted({ uid: 0n, mode: 0o100757n }, [0])).toBe(false)
  expect(isTrusted({ uid: 0n, mode: 0o041777n }, [0])).toBe(false)
})

describe('a file under another name', () => {
  test.each([
    ['ls', '/usr/bin/ls', true],
    ['ls', '/usr/bin/coreutils', true],
    ['ls', '/usr/bin/gnuls', true],
    ['grep', '/usr/local/bin/ggrep', true],
    ['ls', '/bin/busybox', false],
    ['grep', '/usr/bin/python3', false],
    ['cat', '/usr/bin/bash', false],
    ['git', '/usr/bin/env', false],
  ])('%s at %s is taken for it: %s', (name, real, taken) => {
    expect(misnamed(name, real) === undefined).toBe(taken)
  })
})

describe('a path that the user wrote down', () => {
  test('is taken if only the user or the owner of the system can change it', async () => {
    expect(await findProgram(join(base, 'tool'), [], false)).toMatchObject({
      name: 'tool',
      path: join(base, 'tool'),
    })
  })

  test.each([
    ['open/tool', 'can be changed by others'],
    ['link-to-open', 'can be changed by others'],
    ['data', 'is no program'],
    ['none', 'None of these has it'],
  ])('is refused otherwise: %s', async (name, text) => {
    await expect(findProgram(join(base, name), [], false)).rejects.toThrow(text)
  })
})

test.runIf(process.getuid?.() === 0)(
  'a link that calls an interpreter by a harmless name is not taken',
  async () => {
    const folder = join(base, 'bin')
    mkdirSync(folder)
    symlinkSync('/bin/sh', join(folder, 'ls'))
    await expect(findProgram('ls', [folder], true)).rejects.toThrow('whose flags may be others')
    expect(await findProgram('ls', [folder, ...systemFolders()], true)).toMatchObject({ name: 'ls' })
  },
)
