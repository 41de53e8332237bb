import { describe, expect, test, vi } from 'vitest'
import { connectTo, labServer, once } from '../../../support/mcp/connect-to.ts'
import type { LabRequest, LabServerOptions } from '../../../support/mcp/lab-server.ts'
import { textResult } from '../../../support/mcp/lab-tools.ts'

/** Refuses who has not this token; `token` answers a request for one. */
function guarded(good: () => string, token?: (request: LabRequest) => Promise<object>): LabServerOptions {
  return {
    handle: async (request, response) => {
      if (request.url === '/token' && token !== undefined) {
        const body = JSON.stringify(await token(request))
        response.writeHead(200, { 'content-type': 'application/json' }).end(body)
        return true
      }
      if (!request.url.startsWith('/mcp') || request.headers.authorization === `Bearer ${good()}`)
        return false
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return true
    },
  }
}

/** What the SDK asks of whoever has the tokens. */
function provider(first?: { access_token: string; refresh_token?: string }) {
  let tokens: object | undefined = first && { ...first, token_type: 'Bearer' }
  return {
    redirectUrl: 'http://127.0.0.1/callback',
    clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'] },
    clientInformation: () => ({ client_id: 'client' }),
    tokens: () => tokens,
    saveTokens: (saved: object) => {
      tokens = saved
    },
    redirectToAuthorization: vi.fn(),
    saveCodeVerifier: vi.fn(),
    codeVerifier: () => 'verifier',
  }
}

test('the token goes with each request', async () => {
  const lab = await labServer(guarded(() => 'good'))
  const { connection } = await connectTo(lab.url, { authProvider: provider({ access_token: 'good' }) })
  await expect(connection.callTool('echo', { text: 'a' }, once)).resolves.toEqual(textResult('a'))
  await vi.waitFor(() => expect(lab.listeners).toBe(1))
  await connection.close()
  expect(new Set(lab.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer good']))
})

test('without a token the person is asked, and the connection needs authorization', async () => {
  const lab = await labServer(guarded(() => 'good'))
  const authProvider = provider()
  await expect(connectTo(lab.url, { authProvider })).rejects.toMatchObject({
    code: 'needs-authorization',
    mayHaveRun: false,
  })
  expect(authProvider.redirectToAuthorization).toHaveBeenCalledTimes(1)
  await vi.waitFor(() => expect(lab.openAnswers).toBe(0))
})

describe('a token that has run out', () => {
  test('is renewed in the middle, and the call goes on', async () => {
    let good = 'old'
    const renew = async () => {
      good = 'new'
      return { access_token: 'new', token_type: 'Bearer' }
    }
    const lab = await labServer(guarded(() => good, renew))
    const authProvider = provider({ access_token: 'old', refresh_token: 'r' })
    const { connection } = await connectTo(lab.url, { authProvider })
    good = 'unknown yet'
    await expect(connection.callTool('echo', { text: 'a' }, once)).resolves.toEqual(textResult('a'))
    expect(lab.of('tools/call').map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old',
      'Bearer new',
    ])
  })

  test('and whose new one comes when nobody waits any more does not send the call', async () => {
    let good = 'old'
    let give = () => {}
    const mayGive = new Promise<void>((resolve) => {
      give = resolve
    })
    const renew = async () => {
      await mayGive
      good = 'new'
      return { access_token: 'new', token_type: 'Bearer' }
    }
    const lab = await labServer(guarded(() => good, renew))
    const authProvider = provider({ access_token: 'old', refresh_token: 'r' })
    const { connection } = await connectTo(lab.url, { authProvider })
    good = 'unknown yet'
    const controller = new AbortController()
    const call = connection.callTool('echo', { text: 'a' }, { ...once, signal: controller.signal })
    await vi.waitFor(() => expect(lab.requests.some(({ url }) => url === '/token')).toBe(true))
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    give()
    await vi.waitFor(() => expect(authProvider.tokens()).toMatchObject({ access_token: 'new' }))
    await expect(connection.callTool('echo', { text: 'b' }, once)).resolves.toEqual(textResult('b'))
    const texts = lab.of('tools/call').map(({ message }) => message?.params?.arguments)
    expect(texts.filter((input) => JSON.stringify(input) === '{"text":"a"}')).toHaveLength(1)
  })
})

test('the headers of the app do not reach who gives out tokens', async () => {
  let good = 'old'
  const renew = async () => {
    good = 'new'
    return { access_token: 'new', token_type: 'Bearer' }
  }
  const lab = await labServer(guarded(() => good, renew))
  const authProvider = provider({ access_token: 'old', refresh_token: 'r' })
  const headers = () => ({ 'x-secret': 's' })
  const { connection } = await connectTo(lab.url, { authProvider, headers })
  good = 'unknown yet'
  await connection.callTool('echo', { text: 'a' }, once)
  const others = lab.requests.filter(({ url }) => !url.startsWith('/mcp'))
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter(({ headers }) => headers['x-secret'] !== undefined)).toEqual([])
})
