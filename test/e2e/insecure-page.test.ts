import { chromium, expect } from '@playwright/test'
import { chromiumLaunch } from '../run/chromium.ts'
import { runEverything } from './run-everything.ts'
import { insecureHost, test } from './served-pages.ts'

test('on an insecure page all but storage works, and storage says why', async ({ pagesAddress }) => {
  // Http over a name that is not loopback; the name leads to this machine all the same.
  const rule = `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`
  const browser = await chromium.launch({ ...chromiumLaunch, args: [...(chromiumLaunch.args ?? []), rule] })
  try {
    const page = await browser.newPage()
    await page.goto(`http://${insecureHost}:${new URL(pagesAddress).port}/everything.html`)
    const { secure, status, outcomes } = await runEverything(page)
    expect(secure).toBe(false)
    expect(status).toBe('done')
    expect(outcomes).toMatchObject({
      add: ['success', '3'],
      calculator: ['success', '42'],
      pay: ['success', 'paid'],
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
