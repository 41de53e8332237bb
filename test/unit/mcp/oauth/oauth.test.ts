import { MCPClient } from 'offstage/mcp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServerAuthorization } from '../../../../src/mcp/oauth/authorization.ts'
import { finishAuthorization } from '../../../../src/mcp/oauth/finish-authorization.ts'
import { oauth, oauthOn } from '../../../../src/mcp/oauth/oauth.ts'
import type { OAuthOptions } from '../../../../src/mcp/oauth/oauth-options.ts'
import { memoryTokenStore } from '../../../../src/mcp/oauth/token-store.ts'
import { type OAuthServers, startOAuthServers } from '../../../support/mcp/oauth-server.ts'
import { askTool, connectTo, Stage } from './sign-in-stage.ts'

const url = new URL('https://server.example/mcp')

describe('a wrong option', () => {
  test.each<[string, object, RegExp]>([
    ['a missing page', {}, /redirectUrl must be/],
    ['an unknown mode', { redirectUrl: '/x', mode: 'tab' }, /mode must be/],
    ['scopes in one text', { redirectUrl: '/x', scopes: 'a b' }, /scopes must be a list/],
    ['a scope with a space', { redirectUrl: '/x', scopes: ['a b'] }, /scopes must be a list/],
    ['a store without methods', { redirectUrl: '/x', storage: {} }, /storage must have/],
    ['a secret of nobody', { redirectUrl: '/x', clientSecret: 's' }, /clientSecret is of no use/],
    [
      'a plain metadata address',
      { redirectUrl: '/x', clientMetadataUrl: 'http://a.example/c' },
      /https address/,
    ],
    [
      'a metadata address without a path',
      { redirectUrl: '/x', clientMetadataUrl: 'https://a.example' },
      /https/,
    ],
    ['a timeout of zero', { redirectUrl: '/x', timeoutMs: 0 }, /timeoutMs/],
    ['an unknown name', { redirectUrl: '/x', redirectUri: '/y' }, /no option "redirectUri"/],
  ])('%s is refused at once', (_what, options, message) => {
    expect(() => oauth(options as OAuthOptions)).toThrow(message)
  })

  test('a page of another origin is refused when there is a page to compare with', () => {
    const auth = oauthOn(() => new Stage().page(), { redirectUrl: 'https://other.example/signed-in' })
    expect(() => auth.forServer(url)).toThrow(/the answer would not reach it/)
  })
})

test('without a window, as in a worker or on a server, the first use says to connect on the page', async () => {
  const auth = oauth({ redirectUrl: '/signed-in' })
  expect(() => auth.forServer(url)).toThrow(
    expect.objectContaining({ code: 'not-a-page', message: expect.stringContaining('on the page') }),
  )
  await expect(auth.resumeAuthorization()).rejects.toMatchObject({ code: 'not-a-page' })
  expect(() => finishAuthorization()).toThrow(expect.objectContaining({ code: 'not-a-page' }))
})

describe('I15: an address that a server names and that is not safe', () => {
  const unsafe = ['http://evil.example/x', 'http://10.0.0.1/x', 'ftp://evil.example/x']

  /** A client of a server that answers so; the hosts that anything was sent to. */
  function clientOver(answer: (address: URL) => Response) {
    const asked = new Set<string>()
    const client = new MCPClient({
      url,
      namespace: 'guarded',
      auth: oauthOn(() => new Stage().page(), { redirectUrl: '/signed-in' }),
      fetch: async (input) => {
        const address = new URL(input instanceof Request ? input.url : input)
        asked.add(address.host)
        return answer(address)
      },
    })
    return { client, asked }
  }

  test.each(unsafe)('is not asked for what is known of the server: %s', async (address) => {
    const { client, asked } = clientOver(({ pathname }) => {
      const headers = { 'www-authenticate': `Bearer resource_metadata="${address}"` }
      return new Response(null, pathname === '/mcp' ? { status: 401, headers } : { status: 404 })
    })
    await client.connect().catch(() => {})
    await expect(client.authorize()).rejects.toMatchObject({ code: 'unsafe-address' })
    expect([...asked]).toEqual([url.host])
  })

  test.each(unsafe)('is not asked as who gives out tokens: %s', async (address) => {
    const { client, asked } = clientOver(({ pathname }) => {
      if (pathname === '/mcp') return new Response(null, { status: 401 })
      return Response.json({ resource: url.href, authorization_servers: [address] })
    })
    await client.connect().catch(() => {})
    await expect(client.authorize()).rejects.toMatchObject({ code: 'unsafe-address' })
    expect([...asked]).toEqual([url.host])
  })
})

test('a client where there is no window rejects, and never throws or rejects a call', async () => {
  const client = new MCPClient({ url, namespace: 'guarded', auth: oauth({ redirectUrl: '/signed-in' }) })
  const signingIn = client.authorize()
  await expect(signingIn).rejects.toMatchObject({ code: 'not-a-page' })
  expect(await client.preflight('guarded_x', {})).toMatchObject({ kind: 'crash' })
  expect(await client.call('guarded_x', {})).toMatchObject({ kind: 'crash' })
  expect(await client.list()).toEqual([])
  expect(client.status).toMatchObject({ state: 'failed', reason: expect.stringContaining('on the page') })
})

test('a server has one access, however often it is asked for', () => {
  const auth = oauthOn(() => new Stage().page(), { redirectUrl: '/signed-in' })
  expect(auth.forServer(url)).toBe(auth.forServer(new URL(url)))
})

describe('over the servers', () => {
  let servers: OAuthServers
  let stage: Stage

  beforeEach(async () => {
    servers = await startOAuthServers()
    stage = new Stage()
  })
  afterEach(() => servers.close())

  const accessWith = (options: Partial<OAuthOptions> = {}): ServerAuthorization =>
    oauthOn(() => stage.page(), { redirectUrl: '/signed-in', ...options }).forServer(servers.url)

  /** Where the person was led. */
  function watched(): URL[] {
    const led: URL[] = []
    const { person } = stage
    stage.person = async (address, shown) => {
      led.push(new URL(address))
      await person(address, shown)
    }
    return led
  }

  // The SDK itself drops metadata with javascript: in it, and the library never sees the address.
  test.each([
    'file:///x',
    'javascript:alert(1)',
    'http://a/$(id)',
    'ms-x:y',
    'https://user:secret@a.example/',
  ])('I15: the authorization endpoint %s is never opened', async (endpoint) => {
    servers.metadata = { authorization_endpoint: endpoint }
    const led = watched()
    const access = accessWith()
    await expect(connectTo(servers.url, access)).rejects.toThrow()
    await expect(access.authorize()).rejects.toMatchObject({ name: 'AuthorizationError' })
    expect(led).toEqual([])
    expect(stage.windows.map(({ closed }) => closed)).toEqual([true])
  })

  test.each(['token_endpoint', 'registration_endpoint'] as const)(
    'a %s that others can listen to gets nothing, and the error says who has to mend it',
    async (name) => {
      servers.metadata = { [name]: 'http://a.example/token' }
      await expect(accessWith().authorize()).rejects.toMatchObject({
        code: 'unsafe-address',
        message: expect.stringMatching(/Only https.*operator/),
      })
    },
  )

  test('an authorization server that registers nobody is an error that says what to pass', async () => {
    servers.metadata = { registration_endpoint: undefined }
    await expect(accessWith().authorize()).rejects.toMatchObject({
      code: 'discovery-failed',
      message: expect.stringMatching(/`clientId`.*`clientMetadataUrl`/),
    })
  })

  test('an authorization server that is down is told from one that refuses', async () => {
    await servers.close()
    await expect(accessWith().authorize()).rejects.toMatchObject({
      code: 'discovery-failed',
      message: expect.stringMatching(/could not be reached.*CORS/),
    })
  })

  test('a registered app asks as what it is registered, and registers nowhere', async () => {
    const led = watched()
    stage.person = async (address, shown) => {
      led.push(new URL(address))
      shown.close()
    }
    await accessWith({ clientId: 'known-app' })
      .authorize()
      .catch(() => {})
    expect(led[0]?.searchParams.get('client_id')).toBe('known-app')
    expect(servers.seen.filter(({ path }) => path === '/register')).toEqual([])
  })

  test('a registered app is given to the authorization server that it is registered at alone', async () => {
    const led = watched()
    const access = accessWith({ clientId: 'known-app', issuer: 'https://issuer.example' })
    await expect(access.authorize()).rejects.toMatchObject({ code: 'discovery-failed' })
    expect(led).toEqual([])
  })

  test('a client metadata document stands for a registration where the server reads such documents', async () => {
    servers.metadata = { client_id_metadata_document_supported: true }
    const led: URL[] = []
    stage.person = async (address, shown) => {
      led.push(new URL(address))
      shown.close()
    }
    const clientMetadataUrl = 'https://app.example/client.json'
    await accessWith({ clientMetadataUrl })
      .authorize()
      .catch(() => {})
    expect(led[0]?.searchParams.get('client_id')).toBe(clientMetadataUrl)
  })

  test('own scopes are asked for in place of all that the server offers', async () => {
    const led = watched()
    await accessWith({ scopes: ['mail:read'] }).authorize()
    expect(led[0]?.searchParams.get('scope')).toBe('mail:read')
  })

  test('tokens outlast the page in a store that does, and are renewed from there', async () => {
    const storage = memoryTokenStore()
    await accessWith({ storage }).authorize()
    servers.expireAccess()
    const client = await connectTo(servers.url, accessWith({ storage }))
    expect(await askTool(client, 'whoami')).toBe('whoami: mcp:tools')
    expect(stage.windows).toHaveLength(1)
    await client.close()
  })

  test('a renewal that fails for now needs no person: it is an error that says to try again', async () => {
    const access = accessWith()
    await access.authorize()
    servers.expireAccess()
    const down: typeof fetch = async (input, init) => {
      if (String(input).endsWith('/token')) throw new TypeError('fetch failed')
      return fetch(input, init)
    }
    access.fetch(down)
    await expect(connectTo(servers.url, access)).rejects.toMatchObject({
      name: 'McpError',
      code: 'unreachable',
      message: expect.stringContaining('Try again later'),
    })
    expect(access.needed).toBe(false)
    access.fetch(fetch)
    const client = await connectTo(servers.url, access)
    await client.close()
  })

  test('a server that refuses a token that was just renewed wants a person', async () => {
    const access = accessWith()
    await access.authorize()
    const strict: typeof fetch = async (input, init) =>
      String(input) === servers.url.href ? new Response(null, { status: 401 }) : fetch(input, init)
    access.fetch(strict)
    await expect(connectTo(servers.url, access)).rejects.toThrow('Unauthorized')
    expect([access.needed, servers.tokenRequests('refresh_token').length]).toEqual([true, 1])
    await expect(connectTo(servers.url, access)).rejects.toThrow('Unauthorized')
    expect(servers.tokenRequests('refresh_token')).toHaveLength(1)
  })
})
