import { expect, type LaunchOptions } from '@playwright/test'
import { chromiumLaunch } from '../run/chromium.ts'
import { firefoxLaunch } from '../run/firefox.ts'
import { runEverything } from './run-everything.ts'
import { insecureHost, test } from './served-pages.ts'

// Http over a name that is not loopback; the name leads to this machine all the same.
const launches: Readonly<Record<string, LaunchOptions>> = {
  chromium: {
    ...chromiumLaunch,
    args: [...(chromiumLaunch.args ?? []), `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`],
  },
  firefox: { ...firefoxLaunch, firefoxUserPrefs: { 'network.dns.localDomains': insecureHost } },
}

test('on an insecure page all but storage works, and storage says why', async ({
  pagesAddress,
  playwright,
  browserName,
}) => {
  const browser = await playwright[browserName].launch(launches[browserName] ?? {})
  try {
    const page = await browser.newPage()
    await page.goto(`http://${insecureHost}:${new URL(pagesAddress).port}/everything.html`)
    const { secure, status, outcomes } = await runEverything(page)
    expect(secure).toBe(false)
    expect(status).toBe('done')
    expect(outcomes).toMatchObject({
      add: ['success', '3'],
      calculator: ['success', '42'],
      pay: ['success', expect.stringMatching(/^paid 7\n/)],
      spin: ['timeout', expect.stringContaining('300 ms')],
    })
    for (const name of ['notes', 'worker_notes']) {
      const [outcome, text] = outcomes[name] ?? []
      expect(outcome).toBe('error')
      expect(text).toMatch(/StorageError: .*not a secure context.*https/)
    }
  } finally {
    await browser.close()
  }
})
