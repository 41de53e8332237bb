import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run, succeeds } from './processes.mjs'

/**
 * The paths of the programs of these names on the search path, in the order of the names.
 * @param {readonly string[]} names
 */
export function onSearchPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).filter(isProgram)
}

/** @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether this user may install packages of the system, without being asked for a password. */
export function mayInstall() {
  return installerPrefix() !== undefined
}

/**
 * Installs packages of the system with apt-get, where this user may: all groups at once, and group by group if
 * that fails, because one unknown package makes apt-get refuse the others too. Whether it worked is for the caller
 * to see.
 * @param {readonly (readonly string[])[]} groups
 */
export async function installPackages(groups) {
  const prefix = installerPrefix()
  if (prefix === undefined || groups.length === 0) return
  console.log(`Installing ${groups.flat().join(', ')} from the system's packages ...`)
  // env, because sudo does not pass the environment on.
  const [command = 'env', ...first] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  // An index that cannot be refreshed may still be good enough, so its failure does not end the attempt.
  await run(command, [...first, 'update', '-qq'])
  const options = ['install', '-y', '-qq', '--no-install-recommends', '-o=Dpkg::Use-Pty=0']
  const exitCode = await run(command, [...first, ...options, ...groups.flat()])
  if (exitCode === 0 || groups.length === 1) return
  for (const group of groups) await run(command, [...first, ...options, ...group])
}

function installerPrefix() {
  if (!existsSync('/etc/debian_version')) return undefined
  if (process.getuid?.() === 0) return []
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined
}
