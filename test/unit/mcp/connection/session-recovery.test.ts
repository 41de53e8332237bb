import { describe, expect, test, vi } from 'vitest'
import { connectTo, labConnection, labServer, once, usualLimits } from '../../../support/mcp/connect-to.ts'
import { startLabServer } from '../../../support/mcp/lab-server.ts'
import { textResult, textTool } from '../../../support/mcp/lab-tools.ts'

const again = { idempotent: true }

describe.each([404, 400])('a session that is lost, which a server says with %i', (lostStatus) => {
  test('E05: is opened again once, and the call is made again', async () => {
    const { lab, connection, told } = await labConnection({ lostStatus })
    await connection.callTool('echo', { text: 'a' }, once)
    lab.loseSessions()
    await expect(connection.callTool('echo', { text: 'b' }, once)).resolves.toEqual(textResult('b'))
    expect(lab.of('initialize')).toHaveLength(2)
    expect(lab.of('tools/call')).toHaveLength(3)
    expect(lab.sessions).toBe(1)
    await vi.waitFor(() => expect(told.changes).toBeGreaterThanOrEqual(1))
    expect(told.lost).toEqual([])
  })

  test('is opened once for all calls that find out', async () => {
    const { lab, connection } = await labConnection({ lostStatus })
    lab.loseSessions()
    const calls = Array.from({ length: 10 }, (_, text) => connection.callTool('echo', { text }, once))
    await expect(Promise.all(calls)).resolves.toEqual(calls.map((_, text) => textResult(String(text))))
    expect(lab.of('initialize')).toHaveLength(2)
  })

  test('E05: is an error when the new one is lost too', async () => {
    const { lab, connection } = await labConnection({
      lostStatus,
      handle: ({ message }, response) => {
        if (message?.method !== 'tools/call') return false
        response.writeHead(lostStatus).end('session not found')
        return true
      },
    })
    await expect(connection.callTool('echo', { text: 'a' }, once)).rejects.toMatchObject({
      code: 'session-lost',
      status: lostStatus,
      mayHaveRun: false,
    })
    expect(lab.of('tools/call')).toHaveLength(2)
    expect(lab.of('initialize')).toHaveLength(2)
  })

  test('is opened again as soon as the stream of the server tells', async () => {
    const { lab, told } = await labConnection({ lostStatus })
    await vi.waitFor(() => expect(lab.listeners).toBe(1))
    lab.loseSessions()
    await vi.waitFor(() => expect(lab.listeners).toBe(1))
    expect(lab.of('initialize')).toHaveLength(2)
    expect(told.changes).toBe(1)
  })
})

/** A call breaks in the middle, the first time; the server goes on. */
async function breakingOnce() {
  let runs = 0
  const connected = await labConnection({
    tools: [
      {
        ...textTool('t'),
        call: (_input, { breakConnection }) => {
          runs += 1
          if (runs === 1) breakConnection()
          return textResult('done')
        },
      },
    ],
  })
  return { ...connected, runs: () => runs }
}

test('E05: a call that may have run is not made again', async () => {
  const { connection, runs } = await breakingOnce()
  await expect(connection.callTool('t', {}, once)).rejects.toMatchObject({
    code: 'connection-lost',
    mayHaveRun: true,
  })
  expect(runs()).toBe(1)
})

test('a call that may run twice is made again', async () => {
  const { connection, runs } = await breakingOnce()
  await expect(connection.callTool('t', {}, again)).resolves.toEqual(textResult('done'))
  expect(runs()).toBe(2)
})

test('a call that breaks because the server starts anew is made again only if it may run twice', async () => {
  let runs = 0
  const { lab, connection } = await labConnection({
    tools: [
      {
        ...textTool('t'),
        call: () => {
          runs += 1
          if (runs > 2) return textResult('done')
          lab.loseSessions()
          return new Promise(() => {})
        },
      },
    ],
  })
  await expect(connection.callTool('t', {}, once)).rejects.toMatchObject({ code: 'connection-lost' })
  await expect(connection.callTool('t', {}, again)).rejects.toMatchObject({
    code: 'session-lost',
    mayHaveRun: true,
  })
  await expect(connection.callTool('t', {}, again)).resolves.toEqual(textResult('done'))
})

test('a timeout is not a reason to make a call again', async () => {
  const { lab, connection } = await labConnection()
  const call = connection.callTool('slow', { ms: 60_000 }, { ...again, timeoutMs: 100 })
  await expect(call).rejects.toMatchObject({ code: 'timeout' })
  expect(lab.of('tools/call')).toHaveLength(1)
})

test('a server that is back on its port is used again', async () => {
  const first = await labServer()
  const { connection, told } = await connectTo(first.url)
  await first.close()
  await expect(connection.callTool('echo', { text: 'a' }, once)).rejects.toMatchObject({
    code: 'unreachable',
  })
  await vi.waitFor(() => expect(told.lost).toHaveLength(1))
  const second = await labServer({ port: first.port })
  await expect(connection.callTool('echo', { text: 'b' }, once)).resolves.toEqual(textResult('b'))
  expect(second.of('initialize')).toHaveLength(1)
})

test('a call that finds no session and no server to open one says why', async () => {
  const { lab, connection } = await labConnection()
  lab.loseSessions()
  lab.options = {
    handle: ({ message }, response) => {
      if (message?.method !== 'initialize') return false
      response.writeHead(503).end('starting')
      return true
    },
  }
  await expect(connection.callTool('echo', { text: 'a' }, once)).rejects.toMatchObject({
    code: 'http',
    status: 503,
    message: expect.stringContaining('starting'),
  })
  lab.options = {}
  await expect(connection.callTool('echo', { text: 'b' }, once)).resolves.toEqual(textResult('b'))
})

test('a request that is wrong is no lost session', async () => {
  const { lab, connection } = await labConnection({
    handle: ({ message }, response) => {
      if (message?.method !== 'tools/call') return false
      const error = { code: -32602, message: 'text is missing' }
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }))
      return true
    },
  })
  await expect(connection.callTool('echo', {}, once)).rejects.toMatchObject({
    code: 'server',
    message: 'text is missing',
  })
  expect(lab.of('initialize')).toHaveLength(1)
})

test('closing while a session is opened again ends both', async () => {
  const { lab, connection } = await labConnection()
  lab.loseSessions()
  lab.options = { handle: ({ message }) => message?.method === 'initialize' }
  const call = connection.callTool('echo', { text: 'a' }, once)
  await vi.waitFor(() => expect(lab.of('initialize')).toHaveLength(2))
  const failed = expect(call).rejects.toMatchObject({ code: 'closed' })
  await connection.close()
  await failed
  await vi.waitFor(() => expect(lab.openAnswers).toBe(0))
})

describe('E01: a server that does not show its session id', () => {
  /** What a page of another origin sees of an answer. */
  const asInPage = async (...request: Parameters<typeof fetch>) => {
    const { status, headers, body } = await fetch(...request)
    const copy = new Response(status === 202 ? null : body, { status, headers: new Headers(headers) })
    const shown = (headers.get('access-control-expose-headers') ?? '').toLowerCase()
    if (!shown.includes('mcp-session-id')) copy.headers.delete('mcp-session-id')
    return copy
  }

  test('is an error that names the header and the address', async () => {
    const lab = await labServer({ cors: { exposeHeaders: '' }, lostStatus: 400 })
    const error = await connectTo(lab.url, { fetch: asInPage }).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'cors', status: 400 })
    expect(error.message).toContain('Access-Control-Expose-Headers: Mcp-Session-Id')
    expect(error.message).toContain(lab.url)
    expect(lab.of('initialize')).toHaveLength(1)
  })

  test('works once it shows it', async () => {
    const lab = await labServer({ cors: {}, lostStatus: 400 })
    const { connection } = await connectTo(lab.url, { fetch: asInPage })
    await expect(connection.listTools(usualLimits)).resolves.toMatchObject({ items: [{}, {}, {}] })
  })

  test('is noticed also by a server that refuses only later', async () => {
    const lab = await startLabServer({ cors: { exposeHeaders: '' }, lostStatus: 400 })
    lab.options = {
      ...lab.options,
      handle: ({ message }, response) => {
        if (message?.method !== 'notifications/initialized') return false
        response.writeHead(202).end()
        return true
      },
    }
    const { connection } = await connectTo(lab.url, { fetch: asInPage })
    const error = await connection.listTools(usualLimits).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'cors', status: 400 })
    await lab.close()
  })
})

describe('E08: a server without sessions', () => {
  test('that has no stream works', async () => {
    const { lab, connection } = await labConnection({ sessions: false, getStatus: 405, answers: 'json' })
    await expect(connection.callTool('echo', { text: 'a' }, once)).resolves.toEqual(textResult('a'))
    expect(lab.of('tools/call')[0]?.headers['mcp-session-id']).toBeUndefined()
    await connection.close()
    expect(lab.of('DELETE')).toHaveLength(0)
  })

  test('that answers with a version nobody knows says which', async () => {
    const lab = await labServer({ sessions: false, getStatus: 405, protocolVersion: '2027-01-01' })
    const error = await connectTo(lab.url).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'protocol-version', mayHaveRun: false })
    expect(error.message).toContain('2027-01-01')
    expect(error.message).toContain('2025-11-25')
  })
})

test.each([
  ['an error of its own', 400, { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } }],
  ['invalid params', 200, { code: -32602, message: 'no', data: { supported: ['2026-07-28'] } }],
])('a server that speaks only 2026-07-28 and refuses with %s says so', async (_name, status, error) => {
  const lab = await labServer({
    handle: (request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: request.message?.id ?? null, error }))
      return true
    },
  })
  const failure = await connectTo(lab.url).catch((reason) => reason)
  expect(failure).toMatchObject({ code: 'protocol-version' })
  expect(failure.message).toContain('2026-07-28')
  expect(failure.message).toContain('2025-11-25')
})

test('a server that does not know initialize speaks another version', async () => {
  const lab = await labServer({
    answer: {
      initialize: () => {
        throw Object.assign(new Error('Method not found'), { code: -32601 })
      },
    },
  })
  await expect(connectTo(lab.url)).rejects.toMatchObject({ code: 'protocol-version' })
})

test.each(['2025-06-18', '2025-03-26', '2024-11-05'])('version %s is spoken too', async (protocolVersion) => {
  const { lab, connection } = await labConnection({ protocolVersion })
  await expect(connection.callTool('echo', { text: 'a' }, once)).resolves.toEqual(textResult('a'))
  expect(connection.server.protocolVersion).toBe(protocolVersion)
  expect(lab.of('tools/call')[0]?.headers['mcp-protocol-version']).toBe(protocolVersion)
})
