import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RefusalCode } from '../../../src/companion/http/answer.ts'
import { type RawRequest, sendRaw } from '../../support/companion/as-page.ts'
import {
  type CompanionProcess,
  pageOrigin,
  startCompanionProcess,
} from '../../support/companion/companion-process.ts'

let companion: CompanionProcess
let token = ''
let other = ''
const secrets = ['tvly-very-secret', 'brave-very-secret', 'serp-very-secret']
const answers: string[] = []

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const pair = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  send({ path: '/pair', headers: { origin: pageOrigin, ...json, ...headers }, body })

async function send(request: RawRequest) {
  const { path = '/mcp/companion' } = request
  const answer = await sendRaw(companion.port, { ...request, path })
  answers.push(JSON.stringify(answer))
  return answer
}

const codeOf = (link: string) => JSON.stringify({ code: link.split('#pair=')[1] })

beforeAll(async () => {
  companion = await startCompanionProcess(
    ['--allow', 'echo', '--root', 'demo', '--origin', pageOrigin, '--origin', 'https://other.example'],
    {
      TAVILY_API_KEY: 'tvly-very-secret',
      BRAVE_API_KEY: 'brave-very-secret',
      SERPAPI_API_KEY: 'serp-very-secret',
    },
  )
  token = JSON.parse((await pair(codeOf(companion.link()))).text).token
  const link = await companion.newLink()
  other = JSON.parse((await pair(codeOf(link), { origin: 'https://other.example' })).text).token
})

afterAll(() => companion.end())

describe('a companion refuses', () => {
  const good = () => ({ ...json, origin: pageOrigin, authorization: `Bearer ${token}` })
  // By what stops it first: whatever else is right about it.
  const hostile: Readonly<Record<string, readonly [RefusalCode, () => RawRequest]>> = {
    'I13 a POST from Origin https://evil.example': [
      'origin',
      () => ({
        headers: { ...good(), origin: 'https://evil.example' },
      }),
    ],
    'I13 Host attacker.test, as after DNS rebinding': [
      'host',
      () => ({
        headers: { ...good(), host: `attacker.test:${companion.port}` },
      }),
    ],
    'I13 a request with no token': ['token', () => ({ headers: { ...json, origin: pageOrigin } })],
    'I13 the token in the URL': [
      'token',
      () => ({
        path: `/mcp/companion?token=${token}&access_token=${token}`,
        headers: { ...json, origin: pageOrigin },
      }),
    ],
    'I13 a simple request with text/plain': [
      'origin',
      () => ({
        headers: { 'content-type': 'text/plain', origin: 'https://evil.example' },
      }),
    ],
    'I13 a simple request with text/plain to pair': [
      'origin',
      () => ({
        path: '/pair',
        headers: { 'content-type': 'text/plain', origin: 'https://evil.example' },
      }),
    ],
    'I13 a WebSocket without Origin': [
      'origin',
      () => ({
        method: 'GET',
        headers: {
          ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        },
        body: '',
      }),
    ],
    'a request without Origin, with the token': [
      'origin',
      () => {
        const { origin: _none, ...headers } = good()
        return { headers }
      },
    ],
    'Origin null': ['origin', () => ({ headers: { ...good(), origin: 'null' } })],
    'the allowed host on another port': [
      'origin',
      () => ({ headers: { ...good(), origin: 'http://localhost:5174' } }),
    ],
    'the allowed host over https': [
      'origin',
      () => ({ headers: { ...good(), origin: 'https://localhost:5173' } }),
    ],
    'the allowed origin with more behind it': [
      'origin',
      () => ({
        headers: { ...good(), origin: `${pageOrigin}.evil.example` },
      }),
    ],
    'an Origin that is the allowed one and another': [
      'origin',
      () => ({
        headers: { ...good(), origin: `${pageOrigin}, https://evil.example` },
      }),
    ],
    'the right host without its port': ['host', () => ({ headers: { ...good(), host: '127.0.0.1' } })],
    'the right host with another port': ['host', () => ({ headers: { ...good(), host: '127.0.0.1:1' } })],
    'a host that begins with the right one': [
      'host',
      () => ({
        headers: { ...good(), host: `127.0.0.1:${companion.port}.evil.example` },
      }),
    ],
    'a wrong token': [
      'token',
      () => ({ headers: { ...good(), authorization: `Bearer ${token.slice(0, -1)}x` } }),
    ],
    'an empty token': ['token', () => ({ headers: { ...good(), authorization: 'Bearer ' } })],
    'the token of a page of another origin': [
      'token',
      () => ({
        headers: { ...good(), authorization: `Bearer ${other}` },
      }),
    ],
    'the token as a cookie': [
      'token',
      () => ({
        headers: { ...json, origin: pageOrigin, cookie: `token=${token}; authorization=Bearer ${token}` },
      }),
    ],
    'the token as a password': [
      'token',
      () => ({
        headers: {
          ...good(),
          authorization: `Basic ${Buffer.from(`user:${token}`).toString('base64')}`,
        },
      }),
    ],
    'a path that leads back to /health': [
      'token',
      () => ({
        method: 'GET',
        path: '/health/../mcp/companion',
        headers: { origin: pageOrigin },
        body: '',
      }),
    ],
    '/health by POST': ['token', () => ({ path: '/health', headers: { ...json, origin: pageOrigin } })],
    'the start page': [
      'token',
      () => ({ method: 'GET', path: '/', headers: { origin: pageOrigin }, body: '' }),
    ],
    'a preflight of another origin': [
      'origin',
      () => ({
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
        body: '',
      }),
    ],
  }

  it.each(Object.entries(hostile))('%s', async (_name, [code, request]) => {
    const answer = await send({ body: initialize, ...request() })
    expect(answer.status).toBe(403)
    expect(JSON.parse(answer.text)).toMatchObject({ error: { data: { code } } })
    expect(answer.headers['mcp-session-id']).toBeUndefined()
    if (request().headers?.origin !== pageOrigin) {
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it.each(['/mcp/companion', '/pair'])('a body that is too large for %s', async (path) => {
    const body = JSON.stringify({ code: 'x'.repeat(4_000_001) })
    expect((await send({ path, headers: good(), body }).catch(() => ({ status: 413 }))).status).toBe(413)
    const piecemeal = { ...good(), 'transfer-encoding': 'chunked' }
    const answer = await send({ path, headers: piecemeal, body }).catch(() => ({ status: 413 }))
    expect(answer.status).toBe(413)
  })

  it.each([
    ['text/plain', 415],
    ['text/plain; application/json', 415],
    ['application/json', 400],
  ])('what is no JSON, sent as %s', async (type, status) => {
    const headers = { ...good(), 'content-type': type }
    expect((await send({ path: '/pair', headers, body: 'code=1' })).status).toBe(status)
    expect((await send({ headers, body: 'code=1' })).status).toBe(status)
  })

  it('a server that it was not started with, whatever the page says of one', async () => {
    const body = JSON.stringify({ ...JSON.parse(initialize), command: 'sh', args: ['-c', 'id'] })
    for (const path of ['/mcp/other', '/mcp/other?command=sh', '/mcp/companion/../other', '/mcp/']) {
      expect((await send({ path, headers: good(), body })).status).toBe(404)
    }
  })

  it('a session of a page of another origin', async () => {
    const begun = await send({ headers: good(), body: initialize })
    expect(begun.status).toBe(200)
    const session = String(begun.headers['mcp-session-id'])
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    const mine = { ...good(), 'mcp-session-id': session }
    const theirs = { ...mine, origin: 'https://other.example', authorization: `Bearer ${other}` }
    expect((await send({ headers: theirs, body: list })).status).toBe(404)
    expect((await send({ method: 'DELETE', headers: theirs, body: '' })).status).toBe(404)
    expect((await send({ headers: mine, body: list })).text).toContain('"web_search"')
    expect((await send({ method: 'DELETE', headers: mine, body: '' })).status).toBe(200)
    expect((await send({ headers: mine, body: list })).status).toBe(404)
  })
})

describe('a companion answers', () => {
  it('a page that is allowed, and names it alone', async () => {
    const preflight = await send({
      method: 'OPTIONS',
      headers: { origin: pageOrigin, 'access-control-request-method': 'POST' },
      body: '',
    })
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': pageOrigin, vary: 'Origin' },
    })
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
    const headers = { ...json, origin: pageOrigin, authorization: `Bearer ${token}` }
    const begun = await send({
      headers: { ...headers, host: `LOCALHOST:${companion.port}` },
      body: initialize,
    })
    expect(begun).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': pageOrigin } })
  })

  it('/health without a token, and tells nothing there', async () => {
    for (const headers of [{}, { origin: pageOrigin }] as Record<string, string>[]) {
      const health = await send({ method: 'GET', path: '/health', headers, body: '' })
      expect(health.status).toBe(200)
      expect(JSON.parse(health.text)).toEqual({ name: 'offstage-companion', version: '0.1.0' })
    }
    const foreign = { origin: 'https://evil.example' }
    expect((await send({ method: 'GET', path: '/health', headers: foreign, body: '' })).status).toBe(403)
  })

  it('on 127.0.0.1 only', async () => {
    const addresses = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ address }) => address !== '127.0.0.1')
    for (const address of ['127.0.0.2', ...addresses.map((one) => one.address)]) {
      const reached = await new Promise((resolve) => {
        const socket = connect({ host: address, port: companion.port })
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
      })
      expect([address, reached]).toEqual([address, false])
    }
  })
})

describe('a pairing code', () => {
  it('is of no use a second time, and a newer link ends an older one', async () => {
    const first = await companion.newLink()
    expect((await pair(codeOf(first))).status).toBe(200)
    const again = await pair(codeOf(first))
    expect(again.status).toBe(403)
    expect(JSON.parse(again.text)).toMatchObject({ error: { data: { code: 'code-used' } } })
    const older = await companion.newLink()
    const newer = await companion.newLink()
    expect((await pair(codeOf(older))).status).toBe(403)
    expect((await pair(codeOf(newer))).status).toBe(200)
  })

  it('is of no use to what is no page that is allowed, and stays good for one that is', async () => {
    const body = codeOf(await companion.newLink())
    for (const origin of [{}, { origin: 'https://evil.example' }] as Record<string, string>[]) {
      const answer = await send({ path: '/pair', headers: { ...json, ...origin }, body })
      expect(JSON.parse(answer.text)).toMatchObject({ error: { data: { code: 'origin' } } })
    }
    expect((await pair(body)).status).toBe(200)
  })

  it('is taken back when wrong ones are tried, and then not even the right one works', async () => {
    const link = await companion.newLink()
    const wrong = ['""', '{}', '{"code":null}', '{"code":["a"]}', '{"code":"AAAAAAAAAAAAAAAAAAAAAA"}']
    const statuses: number[] = []
    for (const body of wrong) statuses.push((await pair(body)).status)
    expect(statuses).toEqual([403, 403, 403, 403, 429])
    expect((await pair(codeOf(link))).status).toBe(429)
    // A page that was paired before works on.
    const headers = { ...json, origin: pageOrigin, authorization: `Bearer ${token}` }
    expect((await send({ headers, body: initialize })).status).toBe(200)
  })
})

it('no key and no token is in anything that was answered or printed', () => {
  const all = answers.join('\n') + companion.output()
  for (const secret of secrets) expect(all).not.toContain(secret)
  expect(companion.output()).not.toContain(token)
  // Only where it was given out.
  expect(all.split(token)).toHaveLength(2)
})
