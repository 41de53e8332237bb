import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { clientInfo } from '../../../../src/mcp/connection/client-info.ts'
import { connectTo, labConnection, labServer, once, usualLimits } from '../../../support/mcp/connect-to.ts'
import type { LabServerOptions } from '../../../support/mcp/lab-server.ts'
import { textResult, textTool } from '../../../support/mcp/lab-tools.ts'

const kinds: readonly (readonly [string, LabServerOptions])[] = [
  ['with sessions', {}],
  ['with an event store', { eventStore: true }],
  ['without sessions', { sessions: false }],
  ['that answers with JSON', { answers: 'json' }],
]

describe.each(kinds)('a server %s', (_name, options) => {
  test('is connected to, listed and called', async () => {
    const { connection } = await labConnection(options)
    expect(connection.server).toMatchObject({ name: 'lab', version: '1.0.0', protocolVersion: '2025-11-25' })
    const { items, incomplete } = await connection.listTools(usualLimits)
    expect(items.map(({ name }) => name)).toEqual(['echo', 'slow', 'fails'])
    expect(incomplete).toBeUndefined()
    await expect(connection.callTool('echo', { text: 'hi' }, once)).resolves.toEqual(textResult('hi'))
  })

  test('E16: an error result comes back as it is', async () => {
    const result = {
      isError: true,
      content: [{ type: 'text', text: 'quota used up' }],
      structuredContent: { error: 'x' },
    }
    const { connection } = await labConnection({
      ...options,
      tools: [{ ...textTool('t'), call: () => result }],
    })
    await expect(connection.callTool('t', {}, once)).resolves.toEqual(result)
  })

  test('is told that the session is over, and nothing stays open', async () => {
    const { lab, connection } = await labConnection(options)
    await connection.close()
    await connection.close()
    if (options.sessions !== false) expect(lab.of('DELETE')).toHaveLength(1)
    await vi.waitFor(() => expect(lab.openAnswers).toBe(0))
    await expect(connection.callTool('echo', { text: '' }, once)).rejects.toMatchObject({ code: 'closed' })
  })

  test('pushes that its tools changed', async () => {
    const { lab, told } = await labConnection(options)
    await vi.waitFor(() => expect(lab.listeners).toBe(1))
    lab.changeTools([])
    await vi.waitFor(() => expect(told.changes).toBe(1))
  })

  test('may push the same again and again', async () => {
    const { lab, told } = await labConnection(options)
    await vi.waitFor(() => expect(lab.listeners).toBe(1))
    for (let count = 0; count < 50; count++) lab.push('notifications/tools/list_changed')
    await vi.waitFor(() => expect(told.changes).toBe(50))
  })
})

test('resources, templates and prompts are listed and read', async () => {
  const resource = { uri: 'file:///a', name: 'a' }
  const template = { uriTemplate: 'file:///{name}', name: 'any' }
  const prompt = { name: 'greet' }
  const { connection } = await labConnection({
    resources: [resource],
    resourceTemplates: [template],
    prompts: [prompt],
  })
  expect((await connection.listResources(usualLimits)).items).toEqual([resource])
  expect((await connection.listResourceTemplates(usualLimits)).items).toEqual([template])
  expect((await connection.listPrompts(usualLimits)).items).toEqual([prompt])
  await expect(connection.readResource('file:///a')).resolves.toMatchObject({
    contents: [{ uri: 'file:///a', text: 'at file:///a' }],
  })
  await expect(connection.getPrompt('greet', { who: 'Ann' })).resolves.toMatchObject({
    messages: [{ content: { text: 'greet {"who":"Ann"}' } }],
  })
})

test('a server that knows no prompts has an empty list of them', async () => {
  const { connection } = await labConnection({
    answer: {
      'prompts/list': () => {
        throw Object.assign(new Error('Method not found'), { code: -32601 })
      },
    },
  })
  await expect(connection.listPrompts(usualLimits)).resolves.toEqual({ items: [] })
})

test('progress comes in order, and none after the end', async () => {
  const { connection, lab } = await labConnection({
    tools: [
      {
        ...textTool('t'),
        call: (_input, { progress }) => {
          for (let step = 1; step <= 4; step++) progress(step, 4, `step ${step}`)
          return textResult('done')
        },
      },
    ],
  })
  const seen: unknown[] = []
  await connection.callTool('t', {}, { ...once, onProgress: (progress) => seen.push(progress) })
  expect(seen).toEqual([1, 2, 3, 4].map((progress) => ({ progress, total: 4, message: `step ${progress}` })))
  await vi.waitFor(() => expect(lab.listeners).toBe(1))
  const token = lab.of('tools/call')[0]?.message?.params?._meta as { progressToken: number }
  lab.push('notifications/progress', { ...token, progress: 5 })
  lab.push('notifications/progress', { progressToken: 'nobody', progress: 5 })
  await connection.callTool('t', {}, once)
  expect(seen).toHaveLength(4)
})

test('the headers of the app are made anew for each request', async () => {
  let count = 0
  const { lab, connection } = await labConnection({}, { headers: () => ({ 'x-count': String(++count) }) })
  await connection.callTool('echo', { text: '' }, once)
  const counts = lab.requests.map(({ headers }) => headers['x-count'])
  expect(new Set(counts).size).toBe(counts.length)
  expect(counts).not.toContain(undefined)
})

test('the headers of the app do not replace those of the protocol', async () => {
  const { lab, connection } = await labConnection(
    {},
    { headers: () => ({ 'mcp-session-id': 'mine', 'content-type': 'text/plain' }) },
  )
  await expect(connection.callTool('echo', { text: 'a' }, once)).resolves.toEqual(textResult('a'))
  expect(lab.of('tools/call')[0]?.headers).toMatchObject({
    'mcp-session-id': 'session-1',
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
  })
})

test('an error of the server is told as it was said', async () => {
  const { connection } = await labConnection()
  await expect(connection.callTool('nobody', {}, once)).rejects.toMatchObject({
    name: 'McpError',
    code: 'server',
    message: 'Unknown tool: nobody',
    mayHaveRun: false,
    cause: { code: -32602 },
  })
})

test('what a server asks that is not offered is refused', async () => {
  const asked: unknown[] = []
  const { lab, connection } = await labConnection({
    tools: [
      {
        ...textTool('asks'),
        call: async (_input, { ask }) => {
          for (const method of ['sampling/createMessage', 'roots/list', 'elicitation/create']) {
            asked.push(await ask(method, {}).catch(({ code }) => code))
          }
          asked.push(await ask('ping', {}))
          return textResult('done')
        },
      },
    ],
  })
  await connection.callTool('asks', {}, once)
  expect(asked).toEqual([-32601, -32601, -32601, {}])
  expect(lab.of('initialize')[0]?.message?.params?.capabilities).toEqual({})
})

test('a server that is not there is unreachable, and the call did not run', async () => {
  const lab = await labServer()
  const { url } = lab
  await lab.close()
  await expect(connectTo(url)).rejects.toMatchObject({
    code: 'unreachable',
    mayHaveRun: false,
    message: expect.stringContaining(new URL(url).origin),
  })
})

test('a signal that aborts while connecting ends it with its reason', async () => {
  const lab = await labServer({ handle: () => true })
  const controller = new AbortController()
  const connecting = connectTo(lab.url, { signal: controller.signal })
  await vi.waitFor(() => expect(lab.requests).toHaveLength(1))
  controller.abort(new Error('changed my mind'))
  await expect(connecting).rejects.toThrow('changed my mind')
  await vi.waitFor(() => expect(lab.openAnswers).toBe(0))
})

test('a server that wants authorization says so', async () => {
  const lab = await labServer({
    handle: (_request, response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('who are you?')
      return true
    },
  })
  await expect(connectTo(lab.url)).rejects.toMatchObject({ code: 'needs-authorization', status: 401 })
})

test.each([
  ['to another address', 307, 'https://elsewhere.test/mcp?token=secret', 'https://elsewhere.test/mcp'],
  ['to its own origin', 308, '/v2/mcp', '/v2/mcp'],
  ['with a method that changes', 302, '/v2/mcp', '/v2/mcp'],
])('a redirect %s is an error that names the target', async (_name, status, location, named) => {
  const lab = await labServer({
    handle: (_request, response) => {
      response.writeHead(status, { location }).end()
      return true
    },
  })
  const error = await connectTo(lab.url).catch((reason) => reason)
  expect(error).toMatchObject({ code: 'redirect', status })
  expect(error.message).toContain(named)
  expect(error.message).not.toContain('secret')
  expect(lab.requests).toHaveLength(1)
})

test('the client names itself as the package does', () => {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(clientInfo).toEqual({ name, version })
})
