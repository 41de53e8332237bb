import { describe, expect, test, vi } from 'vitest'
import { connectTo, labConnection, labServer, once, usualLimits } from '../../../support/mcp/connect-to.ts'
import type { LabServerOptions } from '../../../support/mcp/lab-server.ts'
import { sleep, textResult, textTool } from '../../../support/mcp/lab-tools.ts'

const kinds: readonly (readonly [string, LabServerOptions])[] = [
  ['with sessions', {}],
  ['with an event store', { eventStore: true }],
  ['without sessions', { sessions: false }],
  ['that answers with JSON', { answers: 'json' }],
]

/** In milliseconds. */
const callMs = 400

describe.each(kinds)('a server %s', (_name, options) => {
  test('is told of a cancelled call, whose connection is freed', async () => {
    const { lab, connection } = await labConnection(options)
    const controller = new AbortController()
    const call = connection.callTool('slow', { ms: 60_000 }, { ...once, signal: controller.signal })
    await vi.waitFor(() => expect(lab.of('tools/call')).toHaveLength(1))
    controller.abort(new Error('no longer wanted'))
    await expect(call).rejects.toThrow('no longer wanted')
    await vi.waitFor(() => expect(lab.of('notifications/cancelled')).toHaveLength(1))
    const [asked] = lab.of('tools/call')
    await expect(asked?.closed).resolves.toBe(false)
    expect(lab.of('notifications/cancelled')[0]?.message?.params).toMatchObject({
      requestId: asked?.message?.id,
    })
    await vi.waitFor(() => expect(lab.openAnswers).toBe(lab.listeners))
    expect(lab.of('GET').every(({ headers }) => headers['last-event-id'] === undefined)).toBe(true)
  })

  test('calls in parallel take no longer after cancelled ones', async () => {
    const { lab, connection } = await labConnection(options)
    await vi.waitFor(() => expect(lab.listeners).toBe(1))
    const twelve = async () => {
      const begun = performance.now()
      const calls = Array.from({ length: 12 }, () => connection.callTool('slow', { ms: callMs }, once))
      await Promise.all(calls)
      return performance.now() - begun
    }
    const before = await twelve()
    const controller = new AbortController()
    const cancelled = Array.from({ length: 8 }, () =>
      connection.callTool('slow', { ms: 60_000 }, { ...once, signal: controller.signal }),
    )
    await vi.waitFor(() => expect(lab.openAnswers).toBe(5))
    controller.abort()
    await Promise.allSettled(cancelled)
    // A machine that is busy for a moment is no leak: that slows down every time.
    const after = [await twelve()]
    while (Math.min(...after) / before > 1.3 && after.length < 4) after.push(await twelve())
    expect(Math.min(...after) / before).toBeLessThanOrEqual(1.3)
    await vi.waitFor(() => expect(lab.openAnswers).toBe(1))
  })
})

test('what never left is not cancelled at the server', async () => {
  const { lab, connection } = await labConnection()
  const controller = new AbortController()
  const calls = Array.from({ length: 10 }, () =>
    connection.callTool('slow', { ms: 60_000 }, { ...once, signal: controller.signal }),
  )
  await vi.waitFor(() => expect(lab.openAnswers).toBe(5))
  const sent = lab.of('tools/call').length
  controller.abort()
  await Promise.allSettled(calls)
  await vi.waitFor(() => expect(lab.of('notifications/cancelled')).toHaveLength(sent))
  await connection.callTool('echo', { text: '' }, once)
  expect(lab.of('tools/call')).toHaveLength(sent + 1)
  expect(lab.of('notifications/cancelled')).toHaveLength(sent)
})

test('a signal that has aborted already sends nothing', async () => {
  const { lab, connection } = await labConnection()
  const call = connection.callTool('echo', {}, { ...once, signal: AbortSignal.abort(new Error('too late')) })
  await expect(call).rejects.toThrow('too late')
  expect(lab.of('tools/call')).toHaveLength(0)
})

test('a call that takes too long is cancelled and says so', async () => {
  const { lab, connection } = await labConnection()
  const call = connection.callTool('slow', { ms: 60_000 }, { ...once, timeoutMs: 100 })
  await expect(call).rejects.toMatchObject({ name: 'McpError', code: 'timeout', mayHaveRun: true })
  await vi.waitFor(() => expect(lab.of('notifications/cancelled')).toHaveLength(1))
  await vi.waitFor(() => expect(lab.openAnswers).toBe(lab.listeners))
})

describe('P22: a server that never answers', () => {
  test('cannot be connected to, and nothing is left of the try', async () => {
    const lab = await labServer({ handle: () => true })
    const error = await connectTo(lab.url, { timeoutMs: 500 }).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining('500 ms') })
    await vi.waitFor(() => expect(lab.openAnswers).toBe(0))
    // What must not be cancelled is not (MCP 2025-11-25, basic/utilities/cancellation).
    expect(lab.requests.map(({ message }) => message?.method)).toEqual(['initialize'])
  })

  test.each(['tools/call', 'notifications/cancelled'])('to %s holds no call', async (silent) => {
    const { lab, connection } = await labConnection({
      handle: ({ message }) => message?.method === 'tools/call' || message?.method === silent,
    })
    const calls = Array.from({ length: 7 }, () =>
      connection.callTool('echo', { text: '' }, { ...once, timeoutMs: 100 }),
    )
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'timeout' })
    await expect(connection.listTools(usualLimits)).resolves.toMatchObject({ items: [{}, {}, {}] })
    await connection.close()
    await vi.waitFor(() => expect(lab.openAnswers).toBe(0))
  })

  test('to the end of the session does not hold that', async () => {
    const { lab, connection } = await labConnection({ handle: ({ method }) => method === 'DELETE' })
    await connection.close()
    expect(lab.of('DELETE')).toHaveLength(1)
    await vi.waitFor(() => expect(lab.openAnswers).toBe(0))
  })
})

test('E06: a stream with something that is no JSON-RPC is an error, though it stays open', async () => {
  const { lab, connection } = await labConnection({
    handle: ({ message }, response) => {
      if (message?.method !== 'tools/call') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: message\ndata: {"error":"Session not found"}\n\n')
      return true
    },
  })
  const error = await connection.callTool('echo', { text: '' }, once).catch((reason) => reason)
  expect(error).toMatchObject({ code: 'protocol', message: expect.stringContaining('Session not found') })
  await vi.waitFor(() => expect(lab.openAnswers).toBe(lab.listeners))
})

test.each([
  ['an empty body', 202, undefined, ''],
  ['a page', 200, 'text/html', '<h1>hello</h1>'],
  ['JSON that is no answer', 200, 'application/json', '{"ok":true}'],
  ['no JSON', 200, 'application/json', 'oops'],
  ['a stream without an answer', 200, 'text/event-stream', 'data: oops\n\n'],
  ['a result that is no object', 200, 'application/json', '{"jsonrpc":"2.0","id":ID,"result":7}'],
])('a call that is answered with %s is an error at once', async (_name, status, type, body) => {
  const { connection } = await labConnection({
    handle: ({ message }, response) => {
      if (message?.method !== 'tools/call') return false
      response.writeHead(status, type === undefined ? {} : { 'content-type': type })
      response.end(body.replace('ID', String(message.id)))
      return true
    },
  })
  const error = await connection.callTool('echo', { text: '' }, once).catch((reason) => reason)
  expect(error).toMatchObject({ code: 'protocol', mayHaveRun: true })
})

test.each([
  ['odd _meta', '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"_meta":null}}'],
  ['more members', '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"_meta":null},"extra":1}'],
  ['its id as text', '{"jsonrpc":"2.0","id":"ID","result":{"content":[],"_meta":null}}'],
  ['a batch', '[{"jsonrpc":"2.0","id":ID,"result":{"content":[],"_meta":null}}]'],
])('an answer with %s is an answer', async (_name, body) => {
  const { connection } = await labConnection({
    handle: ({ message }, response) => {
      if (message?.method !== 'tools/call') return false
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      response.end(body.replace('ID', String(message.id)))
      return true
    },
  })
  await expect(connection.callTool('echo', { text: '' }, once)).resolves.toEqual({ content: [], _meta: null })
})

test('an answer is there before its stream has ended, and the connection is given back', async () => {
  const { lab, connection } = await labConnection({
    handle: ({ message }, response) => {
      if (message?.method !== 'tools/call') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': keep-alive\n\nevent: ping\ndata: 1\n\n')
      response.write(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: textResult('a') })}\n\n`,
      )
      return true
    },
  })
  await expect(connection.callTool('echo', { text: '' }, once)).resolves.toEqual(textResult('a'))
  await vi.waitFor(() => expect(lab.openAnswers).toBe(lab.listeners))
})

test('a call that breaks off is told before its timeout', async () => {
  const { connection } = await labConnection({
    tools: [
      {
        ...textTool('breaks'),
        call: async (_input, { progress, breakConnection, signal }) => {
          progress(1)
          breakConnection()
          await sleep(60_000, signal)
          return {}
        },
      },
    ],
  })
  const call = connection.callTool('breaks', {}, once)
  await expect(call).rejects.toMatchObject({ code: 'connection-lost', mayHaveRun: true })
})

test.each([
  ['breaks off', 'breakConnection' as const],
  ['is hung up on', 'hangUp' as const],
])('a call that %s is taken up again where the server stores events', async (_name, how) => {
  const { lab, connection } = await labConnection({
    eventStore: true,
    tools: [
      {
        ...textTool('breaks'),
        call: async (_input, call) => {
          call.progress(1)
          await sleep(100)
          call[how](50)
          await sleep(200)
          call.progress(2)
          return textResult('done')
        },
      },
    ],
  })
  const seen: number[] = []
  const onProgress = ({ progress }: { progress: number }) => seen.push(progress)
  await expect(connection.callTool('breaks', {}, { ...once, onProgress })).resolves.toEqual(
    textResult('done'),
  )
  expect(seen).toEqual([1, 2])
  expect(lab.of('tools/call')).toHaveLength(1)
})

test('a stream that cannot be taken up again is a lost connection', async () => {
  const { lab, connection } = await labConnection({
    eventStore: true,
    handle: ({ headers }, response) => {
      if (headers['last-event-id'] === undefined) return false
      response.writeHead(405).end()
      return true
    },
    tools: [
      {
        ...textTool('breaks'),
        call: (_input, { hangUp }) => {
          hangUp(50)
          return new Promise(() => {})
        },
      },
    ],
  })
  await expect(connection.callTool('breaks', {}, once)).rejects.toMatchObject({ code: 'connection-lost' })
  await vi.waitFor(() => expect(lab.openAnswers).toBe(lab.listeners))
})
