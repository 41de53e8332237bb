import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { ServerAuthorization } from '../../../../src/mcp/oauth/authorization.ts'
import { finishOn } from '../../../../src/mcp/oauth/finish-authorization.ts'
import type { SignInPage, SignInWindow } from '../../../../src/mcp/oauth/sign-in-page.ts'

/** A browser with one tab of an app, windows that it opens, and a person who goes where they are led. */
export class Stage {
  /** Whether windows may be opened. */
  popups = true
  /** What the person does with the address of a window: by default they follow it. */
  person: (address: string, shown: FakeWindow) => Promise<void> = async (address) => {
    await this.comeBack(await followed(address))
  }
  readonly windows: FakeWindow[] = []
  /** Where the app's tab went. */
  readonly left: string[] = []
  /** What the page that was come back to failed with. */
  readonly failures: unknown[] = []
  readonly #channels = new Map<string, Set<(message: unknown) => void>>()
  readonly #storage = new Map<string, string>()

  /** A page of the app, in the same tab unless it is another. */
  page(address = 'https://app.example/', storage = this.#storage): SignInPage {
    let shown = new URL(address)
    return {
      get address() {
        return new URL(shown)
      },
      hasFocus: () => true,
      openWindow: () => this.#open(),
      leave: (to) => void this.left.push(to),
      showAddress: (to) => {
        shown = new URL(to)
      },
      closePage: () => {
        for (const window of this.windows) window.closed = true
      },
      channel: (name, onMessage) => this.#channel(name, onMessage),
      storage: areaOf(storage),
    }
  }

  /** The page that the person is led back to, in the window. */
  async comeBack(address: string): Promise<void> {
    try {
      await finishOn(this.page(address, new Map()))
    } catch (error) {
      this.failures.push(error)
    }
  }

  #open(): SignInWindow | undefined {
    if (!this.popups) return undefined
    const opened = new FakeWindow((address) => this.person(address, opened))
    this.windows.push(opened)
    return opened
  }

  #channel(name: string, onMessage: (message: unknown) => void): ReturnType<SignInPage['channel']> {
    const members = this.#channels.get(name) ?? new Set()
    this.#channels.set(name, members.add(onMessage))
    return {
      post: (message) => {
        for (const other of members) {
          if (other !== onMessage) queueMicrotask(() => members.has(other) && other(message))
        }
      },
      close: () => void members.delete(onMessage),
    }
  }
}

/** A window in which the person acts as soon as it is led somewhere. */
export class FakeWindow implements SignInWindow {
  closed = false
  readonly #act: (address: string) => Promise<void>

  constructor(act: (address: string) => Promise<void>) {
    this.#act = act
  }

  go(address: string): void {
    void this.#act(address)
  }

  focus(): void {}

  close(): void {
    this.closed = true
  }
}

/** Where an authorization server leads whoever opens this address. */
export async function followed(address: string): Promise<string> {
  const response = await fetch(address, { redirect: 'manual' })
  await response.body?.cancel()
  return response.headers.get('location') ?? ''
}

/** Connects over the SDK's own client and transport. */
export async function connectTo(url: URL, access: ServerAuthorization): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await access.resume()
  const transport = new StreamableHTTPClientTransport(url, {
    authProvider: access.provider as OAuthClientProvider,
    fetch: access.fetch(),
  })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return client
}

/** The text of a tool's answer. */
export async function askTool(client: Client, name: string): Promise<string> {
  const { content } = await client.callTool({ name })
  return (content as { text: string }[]).map(({ text }) => text).join()
}

function areaOf(values: Map<string, string>): SignInPage['storage'] {
  return {
    get length() {
      return values.size
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}
