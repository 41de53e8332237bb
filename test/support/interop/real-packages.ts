import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** The packages of other loops, pinned. They are not among the project's own: half a minute of each `npm ci`. */
const pinned = readFileSync(join(import.meta.dirname, 'packages.json'), 'utf8')
const results = join(import.meta.dirname, '../../.results/interop')
const folder = join(results, createHash('sha256').update(pinned).digest('hex').slice(0, 12))
const done = join(folder, 'installed')
const lock = `${folder}.lock`

/** Waits so long for another process that installs them, in milliseconds. */
const patienceMs = 240_000

/** Installs the packages if they are not there, once for all who ask; gives their folder. */
export async function installedPackages(): Promise<string> {
  const end = Date.now() + patienceMs
  mkdirSync(results, { recursive: true })
  while (!existsSync(done)) {
    if (!taken()) {
      if (Date.now() > end)
        throw new Error(
          `The packages are not there after ${patienceMs} ms. Remove ${lock} if nobody installs them.`,
        )
      await new Promise((resolve) => setTimeout(resolve, 200))
      continue
    }
    try {
      if (!existsSync(done)) await install()
    } finally {
      rmSync(lock, { recursive: true, force: true })
    }
  }
  return folder
}

/** A module of one of the packages. */
export async function realPackage<Module>(name: string): Promise<Module> {
  const from = createRequire(join(await installedPackages(), 'package.json'))
  return import(/* @vite-ignore */ pathToFileURL(esmEntry(from, name)).href)
}

/** `require.resolve` goes by the conditions of CommonJS; most of these have none. */
function esmEntry(from: NodeJS.Require, name: string): string {
  const parts = name.split('/')
  const length = name.startsWith('@') ? 2 : 1
  const home = join(folder, 'node_modules', ...parts.slice(0, length))
  const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const path = ['.', ...parts.slice(length)].join('/')
  const target = entryOf(exports?.[path])
  return target === undefined ? from.resolve(name) : join(home, target)
}

function entryOf(target: unknown): string | undefined {
  if (typeof target === 'string' || target === undefined) return target
  const conditions = target as Record<string, unknown>
  const chosen = ['node', 'import', 'default'].find((condition) => condition in conditions)
  return chosen === undefined ? undefined : entryOf(conditions[chosen])
}

/** Takes the lock, also one whose owner was ended while it installed. */
function taken(): boolean {
  try {
    mkdirSync(lock)
    writeFileSync(join(lock, 'pid'), String(process.pid))
    return true
  } catch {
    if (isLeft()) rmSync(lock, { recursive: true, force: true })
    return false
  }
}

function isLeft(): boolean {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

async function install(): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), pinned)
  const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', options, { cwd: folder, timeout: patienceMs }).catch((error: Error) => {
    throw new Error(
      `npm could not install the packages of test/support/interop/packages.json: ${error.message}`,
    )
  })
  writeFileSync(done, '')
}
