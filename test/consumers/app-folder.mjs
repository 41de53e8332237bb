import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runProcess } from './app-process.mjs'

const templates = join(import.meta.dirname, 'apps')

/**
 * Makes an app in an empty folder: its own files, and what it has in common with others.
 * @param {string} folder absolute
 * @param {string} name of the app in apps/
 * @param {Readonly<Record<string, string>>} copies from apps/ into the folder, by the path in apps/
 */
export function makeApp(folder, name, copies) {
  mkdirSync(folder, { recursive: true })
  cpSync(join(templates, name), folder, { recursive: true })
  for (const [from, to] of Object.entries(copies)) {
    cpSync(join(templates, from), join(folder, to), { recursive: true })
  }
}

/**
 * Installs what the app's lock names, and the packed library, in the one command that a user types.
 * @param {string} folder
 * @param {string} tarball
 */
export function installApp(folder, tarball) {
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--engine-strict']
  return runProcess(folder, 'npm', ['install', ...options, tarball])
}
