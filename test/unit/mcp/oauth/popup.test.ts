import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AuthorizationEvent, ServerAuthorization } from '../../../../src/mcp/oauth/authorization.ts'
import { oauthOn } from '../../../../src/mcp/oauth/oauth.ts'
import type { OAuthOptions } from '../../../../src/mcp/oauth/oauth-options.ts'
import { type OAuthServers, startOAuthServers } from '../../../support/mcp/oauth-server.ts'
import { askTool, connectTo, followed, Stage } from './sign-in-stage.ts'

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

function accessWith(options: Partial<OAuthOptions> = {}): ServerAuthorization {
  return oauthOn(() => stage.page(), { redirectUrl: '/signed-in', ...options }).forServer(servers.url)
}

async function connect(access: ServerAuthorization): Promise<Client> {
  const client = await connectTo(servers.url, access)
  clients.push(client)
  return client
}

/** Connects once to learn that a person is needed, and has them sign in. */
async function signedIn(options: Partial<OAuthOptions> = {}): Promise<ServerAuthorization> {
  const access = accessWith(options)
  await expect(connect(access)).rejects.toThrow('Unauthorized')
  await access.authorize()
  return access
}

/** The requests that began a sign-in. */
const asked = () => servers.seen.filter(({ path }) => path === '/authorize').map(({ fields }) => fields)
const registrations = () => servers.seen.filter(({ path }) => path === '/register')

test('a server that wants a person is told of without a window, and usable after their click', async () => {
  const events: AuthorizationEvent[] = []
  const access = accessWith()
  access.subscribe((event) => events.push(event))
  expect(access.needed).toBe(false)
  await expect(connect(access)).rejects.toThrow('Unauthorized')
  expect([access.needed, events, stage.windows.length]).toEqual([true, ['needed'], 0])
  await access.authorize()
  expect([access.needed, events, stage.windows.length]).toEqual([false, ['needed', 'authorized'], 1])
  expect(stage.windows[0]?.closed).toBe(true)
  expect(await askTool(await connect(access), 'whoami')).toBe('whoami: mcp:tools')
})

test('the person is asked with PKCE, a state, the resource, and a public client of a web page', async () => {
  await signedIn({ clientName: 'Reader' })
  expect(registrations().map(({ fields }) => fields)).toEqual([
    expect.objectContaining({
      client_name: 'Reader',
      redirect_uris: ['https://app.example/signed-in'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    }),
  ])
  expect(asked()).toEqual([
    expect.objectContaining({
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^offstage\.[\w-]{32}$/),
      resource: servers.url.href,
      scope: 'mcp:tools',
    }),
  ])
})

test('a click before any connection finds out by itself whom to ask', async () => {
  const access = accessWith()
  await access.authorize()
  expect(await askTool(await connect(access), 'whoami')).toBe('whoami: mcp:tools')
})

test('an expired token is renewed without a person, once for all requests that find it expired', async () => {
  const access = await signedIn()
  const client = await connect(access)
  servers.expireAccess()
  const answers = await Promise.all([1, 2, 3, 4].map(() => askTool(client, 'whoami')))
  expect(answers).toEqual(Array(4).fill('whoami: mcp:tools'))
  expect(servers.tokenRequests('refresh_token')).toHaveLength(1)
  expect([access.needed, asked().length]).toEqual([false, 1])
})

test('when nothing can be renewed any more, a person is needed again', async () => {
  const access = await signedIn()
  const client = await connect(access)
  servers.revokeAll()
  await expect(askTool(client, 'whoami')).rejects.toThrow('Unauthorized')
  expect(access.needed).toBe(true)
  await access.authorize()
  expect(await askTool(await connect(access), 'whoami')).toBe('whoami: mcp:tools')
})

test('a tool that wants more scopes asks the person for these too, though the token could be renewed', async () => {
  const access = await signedIn()
  const client = await connect(access)
  await expect(askTool(client, 'admin')).rejects.toThrow('Unauthorized')
  expect([access.needed, servers.tokenRequests('refresh_token').length]).toEqual([true, 0])
  await access.authorize()
  expect(asked().at(-1)?.scope).toBe('mcp:tools mcp:admin')
  expect(await askTool(await connect(access), 'admin')).toBe('admin: mcp:tools mcp:admin')
})

test('who is asked for more keeps what was given before', async () => {
  const access = await signedIn({ scopes: ['mail:read'] })
  expect(asked().at(-1)?.scope).toBe('mcp:tools mail:read')
  const client = await connect(access)
  await expect(askTool(client, 'admin')).rejects.toThrow('Unauthorized')
  await access.authorize()
  expect(asked().at(-1)?.scope).toBe('mcp:tools mcp:admin mail:read')
})

test('several requests that are refused at once leave one attempt that works', async () => {
  const access = accessWith()
  const refused = await Promise.allSettled([connect(access), connect(access), connect(access)])
  expect(refused.map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
  await access.authorize()
  expect(await askTool(await connect(access), 'whoami')).toBe('whoami: mcp:tools')
})

test('a window that the browser does not open is an error that says to call from a click', async () => {
  stage.popups = false
  await expect(accessWith().authorize()).rejects.toMatchObject({
    name: 'AuthorizationError',
    code: 'popup-blocked',
    message: expect.stringMatching(/from a click.*allow pop-ups.*redirect/),
  })
})

test('the window is opened before anything is waited for', () => {
  accessWith()
    .authorize()
    .catch(() => {})
  expect(stage.windows).toHaveLength(1)
})

test('a window that is closed without an answer cancels the attempt, and the next click begins another', async () => {
  const access = accessWith()
  const { person } = stage
  stage.person = async (_address, shown) => shown.close()
  await expect(access.authorize()).rejects.toMatchObject({ code: 'cancelled' })
  expect(access.needed).toBe(true)
  stage.person = person
  await access.authorize()
  expect(await askTool(await connect(access), 'whoami')).toBe('whoami: mcp:tools')
})

test('an answer that comes after its window seemed closed still counts', async () => {
  const access = accessWith()
  let address = ''
  stage.person = async (opened, shown) => {
    address = opened
    shown.close()
  }
  await expect(access.authorize()).rejects.toMatchObject({ code: 'cancelled' })
  const authorized = new Promise((resolve) => access.subscribe(resolve))
  await stage.comeBack(await followed(address))
  expect(await authorized).toBe('authorized')
  expect(await askTool(await connect(access), 'whoami')).toBe('whoami: mcp:tools')
})

test('a person who does nothing ends in a timeout that names the likely mistake', async () => {
  const access = accessWith({ timeoutMs: 300 })
  stage.person = async () => {}
  await expect(access.authorize()).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('finishAuthorization()'),
  })
  expect(stage.windows[0]?.closed).toBe(true)
})

test('an aborted signal ends the wait and closes the window', async () => {
  const controller = new AbortController()
  stage.person = async () => controller.abort()
  await expect(accessWith().authorize({ signal: controller.signal })).rejects.toThrow('aborted')
  expect(stage.windows[0]?.closed).toBe(true)
})

test('a client that is closed waits no longer', async () => {
  const access = accessWith()
  stage.person = async () => access.close()
  await expect(access.authorize()).rejects.toMatchObject({ code: 'cancelled' })
})

test('a refusal says so and what to do, and the next click asks again', async () => {
  const access = accessWith()
  servers.verdict = 'deny'
  await expect(access.authorize()).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringMatching(/"access_denied".*Sign in again/),
  })
  expect(access.needed).toBe(true)
  servers.verdict = 'approve'
  await access.authorize()
  expect(access.needed).toBe(false)
})

test.each([
  ['without a code', 'no-code', /without a code.*Sign in again/],
  ['of another authorization server', 'wrong-issuer', /does not come from the authorization server/],
] as const)('an answer %s is not used', async (_what, verdict, message) => {
  servers.verdict = verdict
  await expect(accessWith().authorize()).rejects.toMatchObject({
    code: 'bad-answer',
    message: expect.stringMatching(message),
  })
  expect(servers.tokenRequests('authorization_code')).toEqual([])
})

test('metadata that names another issuer is not used: nobody is registered or asked, and no code or verifier goes out', async () => {
  servers.metadata = { issuer: 'https://honest.example' }
  const access = accessWith()
  await expect(connect(access)).rejects.toMatchObject({ code: 'bad-answer' })
  await expect(access.authorize()).rejects.toMatchObject({
    code: 'bad-answer',
    message: expect.stringMatching(/names https:\/\/honest\.example as its issuer/),
  })
  const paths = servers.seen.map(({ path }) => path)
  expect(paths.some((path) => path.startsWith('/.well-known/oauth-authorization-server'))).toBe(true)
  expect(paths.filter((path) => ['/register', '/authorize', '/token'].includes(path))).toEqual([])
})

test('an answer without the `iss` that its server promises is not used', async () => {
  servers.metadata = { authorization_response_iss_parameter_supported: true }
  await expect(accessWith().authorize()).rejects.toMatchObject({ code: 'bad-answer' })
})

test('an answer with another state reaches nobody: the page that got it says so, and no code is traded', async () => {
  const access = accessWith({ timeoutMs: 15_000 })
  servers.verdict = 'wrong-state'
  const { person } = stage
  stage.person = async (address, shown) => {
    await person(address, shown)
    access.close()
  }
  await expect(access.authorize()).rejects.toMatchObject({ code: 'cancelled' })
  expect(stage.failures).toEqual([
    expect.objectContaining({
      code: 'state-mismatch',
      message: expect.stringMatching(/no sign-in of this tab waits.*Start the sign-in again/),
    }),
  ])
  expect(servers.tokenRequests('authorization_code')).toEqual([])
}, 30_000)

test('a code that was used before is refused with what to do, and the next click works', async () => {
  const access = accessWith()
  const { person } = stage
  let used = ''
  stage.person = async (address) => {
    used = await followed(address)
    await stage.comeBack(used)
  }
  await access.authorize()
  stage.person = async (address) => {
    const answer = new URL(await followed(address))
    answer.searchParams.set('code', new URL(used).searchParams.get('code') ?? '')
    await stage.comeBack(answer.href)
  }
  await expect(access.authorize()).rejects.toMatchObject({
    code: 'exchange-failed',
    message: expect.stringMatching(/"invalid_grant".*sign in again/),
  })
  stage.person = person
  await access.authorize()
  expect(await askTool(await connect(access), 'whoami')).toBe('whoami: mcp:tools')
})

test('a client that its authorization server has forgotten is registered anew', async () => {
  const access = await signedIn()
  const client = await connect(access)
  servers.revokeAll()
  servers.forgetClients()
  await expect(askTool(client, 'whoami')).rejects.toThrow('Unauthorized')
  await access.authorize()
  expect(await askTool(await connect(access), 'whoami')).toBe('whoami: mcp:tools')
  expect(registrations().length).toBeGreaterThan(1)
})

test('what is forgotten is asked for again', async () => {
  const access = await signedIn()
  await access.forget()
  await expect(connect(access)).rejects.toThrow('Unauthorized')
  expect(registrations()).toHaveLength(2)
})

test('no token, code or verifier stands in an error, an event or an address that is shown', async () => {
  const texts: string[] = []
  const access = await signedIn()
  const client = await connect(access)
  servers.revokeAll()
  await askTool(client, 'whoami').catch((error) => texts.push(String(error), JSON.stringify(error)))
  for (const verdict of ['deny', 'no-code', 'wrong-issuer'] as const) {
    servers.verdict = verdict
    await access
      .authorize()
      .catch((error) => texts.push(String(error), JSON.stringify(error), String(error.cause)))
  }
  expect(texts.length).toBeGreaterThan(9)
  const verifiers = servers.seen
    .map(({ fields }) => fields.code_verifier)
    .filter((text) => text !== undefined)
  for (const secret of [...servers.secrets, ...verifiers]) expect(texts.join()).not.toContain(secret)
})

test('a person who does not give more keeps the access they gave, which is still renewed', async () => {
  const access = await signedIn()
  const client = await connect(access)
  await expect(askTool(client, 'admin')).rejects.toThrow('Unauthorized')
  servers.verdict = 'deny'
  await expect(access.authorize()).rejects.toMatchObject({ code: 'denied' })
  servers.expireAccess()
  expect(await askTool(await connect(access), 'whoami')).toBe('whoami: mcp:tools')
})
