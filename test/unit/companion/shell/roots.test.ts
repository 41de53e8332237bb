import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isInside, openRoots } from '../../../../src/companion/shell/roots.ts'

let base: string

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'offstage-roots-')))
  for (const folder of ['project/sub', 'project-evil', 'outside'])
    mkdirSync(join(base, folder), { recursive: true })
  for (const file of ['project/a.txt', 'project-evil/x', 'outside/passwd'])
    writeFileSync(join(base, file), 'x')
  symlinkSync(join(base, 'outside'), join(base, 'project/link'))
  symlinkSync(join(base, 'outside/new'), join(base, 'project/link2'))
  symlinkSync('sub', join(base, 'project/inner'))
  symlinkSync('loop', join(base, 'project/loop'))
  symlinkSync(join(base, 'project'), join(base, 'root-link'))
  execFileSync('mkfifo', [join(base, 'project/pipe')])
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

async function check(path: string, root = 'project'): Promise<string> {
  const roots = await openRoots([join(base, root)])
  const found = await roots.check(path, roots.folders[0] ?? '')
  return 'problem' in found ? found.problem.code : found.value
}

test('J01 a folder that begins like the root is not in it', async () => {
  expect(await check(join(base, 'project-evil/x'))).toBe('outsideRoots')
  expect(await check(`${base}/project/../project-evil/x`)).toBe('outsideRoots')
  expect(await check('../project-evil/x')).toBe('outsideRoots')
  expect(isInside('/project', '/project-evil')).toBe(false)
  expect(isInside('/project', '/project/..evil')).toBe(true)
})

test('J03 a link out of the root is followed and refused, also one to a file that is not there yet', async () => {
  expect(await check('link/passwd')).toBe('outsideRoots')
  expect(await check('link')).toBe('outsideRoots')
  expect(await check('link2')).toBe('unreadablePath')
  expect(await check('link2/x')).toBe('unreadablePath')
  expect(await check('inner/../link/passwd')).toBe('outsideRoots')
})

test('J05 a root that is itself a link is the folder that it leads to, by both names', async () => {
  expect(await check('a.txt', 'root-link')).toBe('file')
  expect(await check(join(base, 'root-link/a.txt'), 'root-link')).toBe('file')
  expect(await check(join(base, 'project/a.txt'), 'root-link')).toBe('file')
  expect(await check(join(base, 'root-link/a.txt'))).toBe('file')
})

test('files and folders inside are found, and what is not there is said to be missing', async () => {
  expect(await check('a.txt')).toBe('file')
  expect(await check('.')).toBe('folder')
  expect(await check('sub/..')).toBe('folder')
  expect(await check('inner')).toBe('folder')
  expect(await check('new/deep.txt')).toBe('missing')
  expect(await check('new/')).toBe('missing')
})

test('what is unsure, no file or part of the system is refused', async () => {
  expect(await check('new/../../outside/passwd')).toBe('unreadablePath')
  expect(await check('a.txt/x')).toBe('unreadablePath')
  expect(await check('loop')).toBe('unreadablePath')
  expect(await check('pipe')).toBe('noFile')
  expect(await check('')).toBe('noPath')
  expect(await check('-')).toBe('noPath')
  for (const path of ['/proc/self/environ', '/dev/null', '/sys'])
    expect(await check(path)).toBe('outsideRoots')
})

test('a root that is no folder, the whole disk or part of the system is refused at the start', async () => {
  await expect(openRoots([])).rejects.toThrow('name a folder that commands may read')
  await expect(openRoots([join(base, 'project/a.txt')])).rejects.toThrow('is no folder')
  await expect(openRoots([join(base, 'none')])).rejects.toThrow('is no folder')
  for (const path of ['/', '/proc', '/dev']) await expect(openRoots([path])).rejects.toThrow('too wide')
})
