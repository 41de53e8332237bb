import { existsSync } from 'node:fs'
import type { LaunchOptions } from 'playwright'

/** Debian's. The shell is the same engine without the browser's own windows, which cost a third of the tests' time. */
const SYSTEM_CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** How the tests start Chromium: the one that `CHROMIUM_PATH` names, else Debian's, else Playwright's own. */
export const chromiumLaunch: LaunchOptions = {
  ...executable(process.env.CHROMIUM_PATH),
  args: [
    // Chromium refuses to sandbox when it runs as root, as it does in a container.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // Gives pages gc(), to show what survives a collection.
    '--js-flags=--expose-gc',
    // What pages offer to agents. Chromium has it, and lets only some sites have it so far.
    '--enable-features=WebMCP',
  ],
}

function executable(named: string | undefined): Pick<LaunchOptions, 'executablePath'> {
  const executablePath = named || SYSTEM_CHROMIUMS.find(existsSync)
  return executablePath === undefined ? {} : { executablePath }
}
