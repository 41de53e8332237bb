import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, succeeds } from './processes.mjs'
import { installPackages, isProgram, mayInstall, onSearchPath } from './system-packages.mjs'

/**
 * What is to be known of a browser engine that tests run in.
 * @typedef {object} Engine
 * @property {'chromium' | 'firefox' | 'webkit'} id also in the names of its tests
 * @property {string} title
 * @property {string} variable the environment variable that names its program
 * @property {readonly string[]} packages of Debian
 * @property {() => readonly string[]} candidates paths where it may be
 * @property {(path: string) => boolean} starts
 * @property {string} advice what to do to have it, one line for each way
 * @property {Elsewhere} [elsewhere] where else it may come from
 */
/** @typedef {{ find: () => Promise<string | undefined>, install: () => Promise<void> }} Elsewhere */

const WHOLE_CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const PLAYWRIGHT = join(root, 'node_modules/playwright/cli.js')

/** @type {Engine} */
export const CHROMIUM = {
  id: 'chromium',
  title: 'Chromium',
  variable: 'CHROMIUM_PATH',
  // The engine alone: a whole Chromium draws windows of its own around each page, even headless.
  packages: ['chromium-headless-shell', 'fonts-liberation'],
  candidates: () => onSearchPath(['chromium-headless-shell', ...WHOLE_CHROMIUMS]),
  starts,
  advice: [
    '  - Debian or Ubuntu:  sudo apt-get update && sudo apt-get install chromium',
    '  - elsewhere:         npx playwright install --with-deps chromium',
    '  - have one already:  CHROMIUM_PATH=/path/to/chromium npm test',
  ].join('\n'),
  elsewhere: {
    find: async () => {
      const { chromium } = await import('playwright')
      const path = chromium.executablePath()
      return starts(path) ? path : undefined
    },
    install: async () => {
      // A system may have the whole one only.
      await installPackages([['chromium', 'fonts-liberation']])
      if (onSearchPath(WHOLE_CHROMIUMS).some(starts)) return
      console.log('Asking Playwright for its own Chromium ...')
      const dependencies = mayInstall() ? ['--with-deps'] : []
      await run(process.execPath, [PLAYWRIGHT, 'install', ...dependencies, 'chromium'])
    },
  },
}

/** @type {Engine} */
export const FIREFOX = {
  id: 'firefox',
  title: 'Firefox',
  variable: 'FIREFOX_PATH',
  packages: ['firefox-esr'],
  candidates: () => onSearchPath(['firefox-esr', 'firefox']),
  starts,
  advice: [
    '  - Debian:            sudo apt-get update && sudo apt-get install firefox-esr',
    '  - have one already:  FIREFOX_PATH=/path/to/firefox npm test',
  ].join('\n'),
}

/** @type {Engine} */
export const WEBKIT = {
  id: 'webkit',
  title: 'WebKitGTK',
  variable: 'WEBKIT_PATH',
  // The browser comes with the driver; it wants a screen, and that wants xauth. Without a font of fixed width
  // it draws no tool names.
  packages: ['webkit2gtk-driver', 'xvfb', 'xauth', 'fonts-dejavu-core'],
  candidates: miniBrowsers,
  starts: (path) =>
    isProgram(path) &&
    ['WebKitWebDriver', 'xvfb-run', 'xauth'].every((name) => onSearchPath([name]).length > 0) &&
    succeeds('xvfb-run', ['-a', path, '--version']),
  advice: [
    '  - Debian or Ubuntu:  sudo apt-get update && sudo apt-get install webkit2gtk-driver xvfb xauth fonts-dejavu-core',
    '  - have it already:   WEBKIT_PATH=/path/to/MiniBrowser npm test (and WebKitWebDriver, xvfb-run and xauth on the PATH)',
  ].join('\n'),
}

// Being there is not enough: Ubuntu's package is a stub that asks for snap, and a library may be missing.
/** @param {string} path */
function starts(path) {
  return isProgram(path) && succeeds(path, ['--version'])
}

// It stands among the libraries, in a folder named after the machine.
function miniBrowsers() {
  if (!existsSync('/usr/lib')) return []
  const folders = readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu'))
  return folders.map((name) => join('/usr/lib', name, 'webkit2gtk-4.1/MiniBrowser'))
}
