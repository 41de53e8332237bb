import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineBrowserProvider } from '@vitest/browser'
import type { BrowserCommand, BrowserProviderOption } from 'vitest/node'
import { freePort } from '../../.ci/free-port.mjs'
import { WebDriverSession } from './webdriver.ts'

declare module 'vitest/node' {
  interface BrowserCommandContext {
    /** The window of this test, where a browser is driven by WebDriver. */
    webDriver: WebDriverSession
  }
}

/** The provider that makes Vitest run its pages in WebKitGTK: its small browser, driven by its own driver. */
export function webkitGtk(): BrowserProviderOption {
  return defineBrowserProvider({
    name: 'webkitgtk',
    supportedBrowser: ['webkit'],
    providerFactory: () => {
      const driver = new WebKitDriver()
      const windows = new Map<string, WebDriverSession>()
      return {
        name: 'webkitgtk',
        // The driver holds one window at a time.
        supportsParallelism: false,
        getCommandsContext: (sessionId) => ({ webDriver: windows.get(sessionId) }),
        openPage: async (sessionId, url) => {
          const window = await WebDriverSession.open(await driver.start(), capabilities())
          windows.set(sessionId, window)
          await window.visit(url)
        },
        close: async () => {
          for (const window of windows.values()) await window.close().catch(reportTrouble)
          driver.stop()
        },
      }
    },
  })
}

/** What test/browser/dialog/real-input.ts sends to WebKitGTK. See {@link playwrightInput} for the others. */
export const webkitInput: Readonly<{
  clickAt: BrowserCommand<[x: number, y: number]>
  keyDown: BrowserCommand<[key: string]>
  keyUp: BrowserCommand<[key: string]>
}> = {
  clickAt: ({ webDriver }, x, y) => webDriver.clickAt(x, y),
  keyDown: ({ webDriver }, key) => webDriver.key('keyDown', key),
  keyUp: ({ webDriver }, key) => webDriver.key('keyUp', key),
}

/** Turns on what is off in WebKitGTK's small browser and on in Safari. */
export const webkitFeatures =
  '--features=+AccessHandle,+FileSystem,+FileSystemWritableStream,+StorageAPI,+StorageAPIEstimate'

function capabilities(): object {
  return {
    // Vitest tells by itself when its page is ready.
    pageLoadStrategy: 'none',
    'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation', webkitFeatures] },
  }
}

/** WebKitGTK's small browser: the one that `WEBKIT_PATH` names, else Debian's. */
export function miniBrowser(): string {
  return process.env.WEBKIT_PATH || debianMiniBrowser()
}

function debianMiniBrowser(): string {
  const found = readdirSync('/usr/lib')
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join('/usr/lib', name, 'webkit2gtk-4.1/MiniBrowser'))
    .find(existsSync)
  return found ?? 'MiniBrowser'
}

/** The driver process with a screen of its own, which ends with this process, however that ends. */
class WebKitDriver {
  #process: ChildProcess | undefined

  /** Resolves to the address of the driver. */
  async start(): Promise<string> {
    const port = await freePort()
    // The shell leads a group, and ends it when its input ends: when stop() says so, or this process is gone.
    const script = `xvfb-run -a WebKitWebDriver -p ${port} & cat >/dev/null; kill -- -$$`
    const child = spawn('sh', ['-c', script], {
      detached: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      // There is no graphics card.
      env: { ...process.env, WEBKIT_DISABLE_COMPOSITING_MODE: '1', LIBGL_ALWAYS_SOFTWARE: '1' },
    })
    this.#process = child
    const address = `http://127.0.0.1:${port}`
    await answers(`${address}/status`)
    return address
  }

  stop(): void {
    this.#process?.stdin?.end()
    this.#process = undefined
  }
}

const startTimeoutMs = 30_000

async function answers(address: string): Promise<void> {
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; ) {
    const response = await fetch(address).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(
    `WebKitWebDriver did not answer within ${startTimeoutMs} ms. Debian: apt-get install webkit2gtk-driver xvfb xauth`,
  )
}

function reportTrouble(error: unknown): void {
  console.error('The window of WebKitGTK did not close by itself:', error)
}
