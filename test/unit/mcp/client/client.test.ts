import { ToolRegistrationError } from 'offstage'
import { MCPClient, type MCPClientOptions, memoryPinStore } from 'offstage/mcp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientOf, lab, until } from './lab.ts'

const good = { url: 'https://example.com/mcp', namespace: 'files' } satisfies MCPClientOptions

describe('the constructor', () => {
  it.each<[string, unknown, RegExp]>([
    ['no options', undefined, /expected an options object/],
    ['a text', 'https://example.com/mcp', /expected an options object/],
    ['no namespace', { url: good.url }, /namespace is undefined/],
    ['an empty namespace', { ...good, namespace: '' }, /namespace is ""/],
    ['a namespace with a space', { ...good, namespace: 'my files' }, /1 to 64 letters/],
    ['a namespace of 65 characters', { ...good, namespace: 'x'.repeat(65) }, /1 to 64 letters/],
    ['no url', { namespace: 'files' }, /whole address/],
    ['an unknown option', { ...good, pins: {} }, /no option "pins"/],
    ['another word for the address', { namespace: 'files', endpoint: good.url }, /Did you mean "url"/],
    ['headers that are no texts', { ...good, headers: { a: 1 } }, /headers must be/],
    ['auth that is none', { ...good, auth: { token: 'x' } }, /auth must be what oauth/],
    ['an approval that is none', { ...good, needsApproval: 'yes' }, /needsApproval must be/],
    ['fingerprints in a list', { ...good, expectedFingerprints: ['a'] }, /expectedFingerprints must be/],
    ['a pin store that is none', { ...good, pinStore: {} }, /pinStore must/],
    ['no tools at all', { ...good, maxTools: 0 }, /maxTools is 0/],
    ['half a character', { ...good, maxDescriptionChars: 0.5 }, /maxDescriptionChars is 0.5/],
    ['no result at all', { ...good, maxResultChars: -1 }, /maxResultChars is -1/],
    ['no time', { ...good, timeoutMs: 0 }, /timeoutMs is 0/],
    ['a text for yes', { ...good, allowInsecureHttp: 'yes' }, /allowInsecureHttp must be/],
    ['an elicit that is none', { ...good, elicit: true }, /elicit must be/],
    ['a fetch that is none', { ...good, fetch: 'fetch' }, /fetch must be/],
    ['a text that does not exist', { ...good, texts: { noOutputs: '' } }, /texts: .*"noOutputs".*"noOutput"/],
    ['texts in a list', { ...good, texts: [] }, /texts: expected an options object/],
    ['plain http', { ...good, url: 'http://example.com/mcp' }, /plain http/],
  ])('refuses %s', (_what, options, message) => {
    const make = () => new MCPClient(options as MCPClientOptions)
    expect(make).toThrow(message)
    expect(make).toThrow(ToolRegistrationError)
    expect(make).toThrow(/^new MCPClient\(\)/)
  })

  it('touches nothing', () => {
    const names = ['fetch', 'indexedDB', 'document', 'window', 'localStorage', 'navigator'] as const
    const touched: string[] = []
    for (const name of names) {
      vi.stubGlobal(name, undefined)
      Object.defineProperty(globalThis, name, {
        configurable: true,
        get: () => {
          touched.push(name)
          return undefined
        },
      })
    }
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    const client = new MCPClient(good)
    expect(client).toMatchObject({ label: 'mcp:files', tools: [], setAside: [], status: { state: 'idle' } })
    expect(client.notes()).toEqual([])
    expect(touched).toEqual([])
  })
})

it('sends the headers of each moment', async () => {
  const server = await lab()
  let count = 0
  const client = clientOf(server, {
    headers: async () => {
      count += 1
      return { 'x-key': `key-${count}` }
    },
  })
  await client.call('lab_echo', { text: 'hi' })
  const keys = server.requests.map(({ headers }) => headers['x-key'])
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).not.toContain(undefined)
})

it('sends headers that are an object, too', async () => {
  const server = await lab()
  await clientOf(server, { headers: { 'x-key': 'key' } }).connect()
  expect(server.of('initialize')[0]?.headers['x-key']).toBe('key')
})

it('a server that wants to know who asks is shown as such, and connected with a token', async () => {
  const server = await lab({
    handle: ({ headers }, response) => {
      if (headers.authorization === 'Bearer good') return false
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return true
    },
  })
  let token = 'bad'
  const client = clientOf(server, { headers: () => ({ Authorization: `Bearer ${token}` }) })
  expect(await client.list()).toEqual([])
  expect(client.status).toMatchObject({
    state: 'needs-authorization',
    reason: expect.stringContaining(server.url),
  })
  await expect(client.authorize()).rejects.toThrow(/there is no auth/)
  token = 'good'
  await client.connect()
  expect(client.status).toMatchObject({ state: 'ready', server: { name: 'lab' } })
  token = 'bad'
  expect((await client.call('lab_echo', { text: 'hi' })).kind).toBe('crash')
  expect(client.status.state).toBe('needs-authorization')
})

describe('the status', () => {
  it('goes from idle over connecting to ready, and back when it is closed; those who listen are told', async () => {
    const client = clientOf(await lab())
    const states: string[] = []
    const stop = client.subscribe(() => states.push(client.status.state))
    await client.connect()
    await client.connect()
    expect(states).toEqual(['connecting', 'ready'])
    expect(client.status).toEqual({
      state: 'ready',
      server: { name: 'lab', version: '1.0.0' },
      protocolVersion: '2025-11-25',
    })
    await client.close()
    expect(states).toEqual(['connecting', 'ready', 'idle'])
    stop()
    await client.connect()
    expect(states).toHaveLength(3)
  })

  it('a listener that throws costs no other its news', async () => {
    const client = clientOf(await lab())
    const thrown = vi.fn()
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', thrown)
    onTestFinished(() => {
      process.removeAllListeners('uncaughtException')
      for (const listener of listeners) process.on('uncaughtException', listener)
    })
    const told = vi.fn()
    const stop = client.subscribe(() => {
      throw new Error('oh')
    })
    client.subscribe(told)
    await client.connect()
    expect(told).toHaveBeenCalledTimes(2)
    stop()
    await until(() => thrown.mock.calls.length === 2)
  })
})

it('close() ends the session at the server, and may come before anything else', async () => {
  const server = await lab()
  const client = clientOf(server)
  await client.close()
  expect(await client.list()).toEqual([])
  expect(server.requests).toEqual([])
  await client.connect()
  await client.close()
  expect(server.of('DELETE')).toHaveLength(1)
  expect(server.sessions).toBe(0)
  await until(() => server.openAnswers === 0)
})

it('close() stops calls that run', async () => {
  const server = await lab()
  const client = clientOf(server)
  await client.connect()
  const running = client.call('lab_slow', { ms: 60_000 })
  await until(() => server.of('tools/call').length === 1)
  await client.close()
  expect(await running).toMatchObject({ kind: 'crash', error: { name: 'McpError' }, mayHaveRun: true })
})

it('loadTools() gives the tools, and says why there are none', async () => {
  const server = await lab()
  const client = clientOf(server)
  const tools = await client.loadTools()
  expect(tools.map(({ name, originalName }) => [name, originalName])).toEqual([
    ['lab_echo', 'echo'],
    ['lab_slow', 'slow'],
    ['lab_fails', 'fails'],
  ])
  expect(tools).toBe(client.tools)
  await client.close()
  await server.close()
  await expect(client.loadTools()).rejects.toMatchObject({ name: 'McpError', code: 'unreachable' })
})

describe('what a server has beside tools', () => {
  it('resources are listed, cleaned and read', async () => {
    const server = await lab({
      resources: [
        {
          uri: 'file:///a.txt',
          name: 'a\u200b',
          mimeType: 'text/plain',
          size: 7,
          description: 'A.<!-- hm -->',
        },
        { name: 'no address' },
      ],
    })
    const client = clientOf(server)
    expect(await client.listResources()).toEqual({
      items: [{ uri: 'file:///a.txt', name: 'a', mimeType: 'text/plain', size: 7, description: 'A.' }],
      incomplete: '1 of them could not be read',
    })
    expect(await client.readResource('file:///a.txt')).toEqual({
      contents: [{ uri: 'file:///a.txt', mediaType: 'text/plain', text: 'at file:///a.txt', size: 16 }],
      leftOut: 0,
    })
  })

  it('templates of resources are listed', async () => {
    const client = clientOf(
      await lab({ resourceTemplates: [{ uriTemplate: 'file:///{name}', name: 'files' }] }),
    )
    expect(await client.listResourceTemplates()).toEqual({
      items: [{ uriTemplate: 'file:///{name}', name: 'files' }],
    })
  })

  it('prompts are listed and filled in', async () => {
    const client = clientOf(
      await lab({ prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }, 7] }] }),
    )
    expect(await client.listPrompts()).toEqual({
      items: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }],
    })
    expect(await client.getPrompt('greet', { who: 'Ada' })).toMatchObject({
      messages: [{ role: 'user', text: 'greet {"who":"Ada"}' }],
    })
  })

  it('a prompt whose name, or that of an argument, cannot be seen is not offered', async () => {
    const prompts = [
      { name: 'gre\u200bet' },
      { name: 'greet', arguments: [{ name: 'wh\u{e0041}o' }] },
      { name: 'part', title: 'Part\u200b', description: 'Says <|im_start|>goodbye.' },
    ]
    expect(await clientOf(await lab({ prompts })).listPrompts()).toEqual({
      items: [{ name: 'part', title: 'Part', description: 'Says < |im_start|>goodbye.', arguments: [] }],
      incomplete: '2 of them could not be read',
    })
  })

  it('a server that cannot be reached rejects with the reason', async () => {
    const server = await lab()
    const client = clientOf(server)
    await server.close()
    await expect(client.listPrompts()).rejects.toMatchObject({ name: 'McpError', code: 'unreachable' })
  })
})

it('a question of the server reaches the app, and its answer the server', async () => {
  const asked: unknown[] = []
  const server = await lab({
    tools: [
      {
        definition: { name: 'ask', inputSchema: { type: 'object' } },
        call: async (_input, { ask }) => {
          const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
          const { action, content } = await ask('elicitation/create', { message: 'Who?', requestedSchema })
          return { content: [{ type: 'text', text: JSON.stringify([action, content]) }] }
        },
      },
    ],
  })
  const client = clientOf(server, {
    elicit: async ({ message, origin }) => {
      asked.push([message, origin])
      return { action: 'accept', content: { name: 'Ada' } }
    },
  })
  expect(await client.call('lab_ask', {})).toMatchObject({ response: { text: '["accept",{"name":"Ada"}]' } })
  expect(asked).toEqual([['Who?', 'mcp:lab']])
  expect(server.of('initialize')[0]?.message?.params?.capabilities).toHaveProperty('elicitation')
})

it('a client that can ask nobody offers no questions to the server', async () => {
  const server = await lab()
  const client = new MCPClient({ url: server.url, namespace: 'lab', pinStore: memoryPinStore() })
  onTestFinished(() => client.close())
  await client.connect()
  expect(server.of('initialize')[0]?.message?.params?.capabilities).toEqual({})
})
