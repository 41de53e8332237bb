import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root, run, succeeds } from './processes.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const PACKAGES = ['chromium', 'fonts-liberation']
const PLAYWRIGHT = join(root, 'node_modules/playwright/cli.js')

/** What to do when no Chromium can be had. */
export const CHROMIUM_ADVICE = [
  'No Chromium was found, and none could be installed. The browser tests need one. Do one of these:',
  '  - Debian or Ubuntu:  sudo apt-get update && sudo apt-get install chromium',
  '  - elsewhere:         npx playwright install --with-deps chromium',
  '  - have one already:  CHROMIUM_PATH=/path/to/chromium npm test',
].join('\n')

/**
 * The path of a Chromium that starts: the one that `CHROMIUM_PATH` names, else one on the search path, else
 * Playwright's, else one newly installed from the system's packages where this user may, else by Playwright.
 * Rejects with advice when none can be had.
 * @returns {Promise<string>}
 */
export async function provideChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (starts(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, but that does not start. Correct the path, or unset it.`)
  }
  const found = await findChromium()
  if (found !== undefined) return found
  const installed = (await installFromSystem()) ?? (await installFromPlaywright())
  if (installed === undefined) throw new Error(CHROMIUM_ADVICE)
  return installed
}

async function findChromium() {
  return onSearchPath().find(starts) ?? (await fromPlaywright())
}

function onSearchPath() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).filter(isProgram)
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

// Being there is not enough: Ubuntu's package is a stub that asks for snap, and a library may be missing.
/** @param {string} path */
function starts(path) {
  return isProgram(path) && succeeds(path, ['--version'])
}

async function fromPlaywright() {
  const { chromium } = await import('playwright')
  const path = chromium.executablePath()
  return starts(path) ? path : undefined
}

async function installFromSystem() {
  const prefix = installerPrefix()
  if (prefix === undefined) return undefined
  console.log(`Installing ${PACKAGES.join(' and ')} from the system's packages ...`)
  // env, because sudo does not pass the environment on.
  const [command = 'env', ...first] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  // An index that cannot be refreshed may still be good enough, so its failure does not end the attempt.
  await run(command, [...first, 'update', '-qq'])
  await run(command, [
    ...first,
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    '-o=Dpkg::Use-Pty=0',
    ...PACKAGES,
  ])
  return onSearchPath().find(starts)
}

function installerPrefix() {
  if (!existsSync('/etc/debian_version')) return undefined
  if (process.getuid?.() === 0) return []
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined
}

async function installFromPlaywright() {
  console.log('Asking Playwright for its own Chromium ...')
  const dependencies = installerPrefix() === undefined ? [] : ['--with-deps']
  await run(process.execPath, [PLAYWRIGHT, 'install', ...dependencies, 'chromium'])
  return fromPlaywright()
}
