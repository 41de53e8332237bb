import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './processes.mjs'

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockedPackage */
/** @typedef {{ packages: Record<string, LockedPackage> }} Lock */

/**
 * Whether what npm says it installed is what the lock asks for. Contents are compared, not times: a checkout
 * changes times, and an install that is not needed would pull the packages from under a running server.
 * @param {Lock} wanted package-lock.json
 * @param {Lock} installed node_modules/.package-lock.json
 * @returns {boolean}
 */
export function isInstalled(wanted, installed) {
  const missing = Object.entries(wanted.packages).some(([path, entry]) => {
    const present = installed.packages[path]
    if (path === '') return false
    if (present === undefined) return !(entry.optional || entry.devOptional)
    return present.version !== entry.version || present.integrity !== entry.integrity
  })
  return !missing && Object.keys(installed.packages).every((path) => path in wanted.packages)
}

/**
 * Installs the packages of the lock if they are missing or differ from it.
 * Rejects if Node is too old for them, or npm fails.
 */
export async function installDependencies() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Node ${process.versions.node} is too old: install Node 20.19 or newer.`)
  }
  const record = join(root, 'node_modules/.package-lock.json')
  if (existsSync(record) && isInstalled(readLock(join(root, 'package-lock.json')), readLock(record))) return
  console.log('Installing the packages of package-lock.json ...')
  const [command = 'npm', ...first] = process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : []
  const exitCode = await run(command, [...first, 'ci', '--include=dev', '--no-audit', '--no-fund'])
  if (exitCode !== 0) {
    throw new Error(
      'npm ci failed (its message is above). Check the network and the registry, then try again.',
    )
  }
}

/**
 * @param {string} file
 * @returns {Lock}
 */
function readLock(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
