import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MCPAuth } from '../../../../src/mcp/oauth/authorization.ts'
import { oauthOn } from '../../../../src/mcp/oauth/oauth.ts'
import { memoryTokenStore } from '../../../../src/mcp/oauth/token-store.ts'
import { type OAuthServers, startOAuthServers } from '../../../support/mcp/oauth-server.ts'
import { askTool, connectTo, followed, Stage } from './sign-in-stage.ts'

const app = 'https://app.example/chat?tab=2'
let servers: OAuthServers
let stage: Stage
const clients: Client[] = []

beforeEach(async () => {
  servers = await startOAuthServers()
  stage = new Stage()
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close()
  await servers.close()
})

/** The app as it is loaded at an address; what was loaded before in the tab is gone. */
function load(address = app): { auth: MCPAuth; shown(): string } {
  const page = stage.page(address)
  const auth = oauthOn(() => page, {
    redirectUrl: '/chat?tab=2',
    mode: 'redirect',
    storage: memoryTokenStore(),
  })
  return { auth, shown: () => page.address.href }
}

/** Leaves the page for signing in, and tells where the authorization server leads back to. */
async function leave(url = servers.url): Promise<string> {
  const access = load().auth.forServer(url)
  const left = stage.left.length
  access.authorize().catch(() => {})
  await expect.poll(() => stage.left.length, { timeout: 10_000 }).toBe(left + 1)
  return followed(stage.left[left] ?? '')
}

async function tell(auth: MCPAuth): Promise<string> {
  const client = await connectTo(servers.url, auth.forServer(servers.url))
  clients.push(client)
  return askTool(client, 'whoami')
}

test('a page that is back goes on where it left: it has tokens, and its own address again', async () => {
  const { auth, shown } = load(await leave())
  expect(await auth.forServer(servers.url).resume()).toBe(true)
  expect(shown()).toBe(app)
  expect(await tell(auth)).toBe('whoami: mcp:tools')
  expect(stage.windows).toEqual([])
})

test('the page may also go on before it knows which server it was', async () => {
  const { auth } = load(await leave())
  expect(await auth.resumeAuthorization()).toBe(true)
  expect(await tell(auth)).toBe('whoami: mcp:tools')
  expect(await auth.resumeAuthorization()).toBe(false)
})

test('whoever asks while the code is traded waits for the same tokens', async () => {
  const access = load(await leave()).auth.forServer(servers.url)
  expect(await Promise.all([access.resume(), access.resume()])).toEqual([true, true])
  expect(servers.tokenRequests('authorization_code')).toHaveLength(1)
})

test('an answer is for the server that was asked, and waits for it', async () => {
  const { auth, shown } = load(await leave())
  expect(await auth.forServer(new URL('https://other.example/mcp')).resume()).toBe(false)
  expect(shown()).toContain('code=')
  expect(await auth.forServer(servers.url).resume()).toBe(true)
})

test('the answer to another sign-in of the page is left alone', async () => {
  await leave()
  const foreign = 'https://app.example/chat?code=theirs&state=of-their-own'
  const { auth, shown } = load(foreign)
  expect(await auth.resumeAuthorization()).toBe(false)
  expect(await auth.forServer(servers.url).resume()).toBe(false)
  expect(shown()).toBe(foreign)
})

test('a page without an answer has nothing to go on with', async () => {
  await leave()
  const { auth } = load()
  expect(await auth.resumeAuthorization()).toBe(false)
})

test('a forged state is refused with what to do, and taken out of the address', async () => {
  servers.verdict = 'wrong-state'
  const { auth, shown } = load(await leave())
  await expect(auth.forServer(servers.url).resume()).rejects.toMatchObject({
    code: 'state-mismatch',
    message: expect.stringContaining('Start the sign-in again'),
  })
  expect(shown()).toBe(app)
  expect(servers.tokenRequests('authorization_code')).toEqual([])
})

test('an answer that is opened a second time is refused', async () => {
  const answer = await leave()
  await load(answer).auth.resumeAuthorization()
  await expect(load(answer).auth.resumeAuthorization()).rejects.toMatchObject({ code: 'state-mismatch' })
  expect(servers.tokenRequests('authorization_code')).toHaveLength(1)
})

test('a refusal is told when the page is back, and its attempt is over', async () => {
  servers.verdict = 'deny'
  const answer = await leave()
  const access = load(answer).auth.forServer(servers.url)
  await expect(access.resume()).rejects.toMatchObject({ code: 'denied' })
  expect(access.needed).toBe(true)
  await expect(load(answer).auth.resumeAuthorization()).rejects.toMatchObject({ code: 'state-mismatch' })
})

test('two servers may wait in one tab', async () => {
  const others = await startOAuthServers()
  try {
    const [first, second] = [await leave(), await leave(others.url)]
    expect(await load(second).auth.forServer(others.url).resume()).toBe(true)
    expect(await load(first).auth.forServer(servers.url).resume()).toBe(true)
  } finally {
    await others.close()
  }
})

test('a person who stays ends in a timeout', async () => {
  const page = stage.page()
  const auth = oauthOn(() => page, { redirectUrl: '/chat', mode: 'redirect', timeoutMs: 200 })
  await expect(auth.forServer(servers.url).authorize()).rejects.toMatchObject({ code: 'timeout' })
})
