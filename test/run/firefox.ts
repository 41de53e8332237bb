import { existsSync } from 'node:fs'
import type { LaunchOptions } from 'playwright'

const SYSTEM_FIREFOX = '/usr/bin/firefox-esr'

/**
 * How the tests start Firefox: the one that `FIREFOX_PATH` names, else Debian's. It is driven as it is, through
 * WebDriver BiDi, which is what the channel stands for; Playwright's own patched Firefox is not used.
 */
export const firefoxLaunch: LaunchOptions = {
  channel: 'moz-firefox',
  executablePath: process.env.FIREFOX_PATH || (existsSync(SYSTEM_FIREFOX) ? SYSTEM_FIREFOX : 'firefox'),
}
