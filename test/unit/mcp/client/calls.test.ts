import { combined, prefixed, ToolRegistry, tool, withoutFence } from 'offstage'
import { MCPClient, memoryPinStore } from 'offstage/mcp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fenced } from '../../../support/fenced.ts'
import type { LabServer, LabTool } from '../../../support/mcp/lab-server.ts'
import { sleep, textResult, textTool } from '../../../support/mcp/lab-tools.ts'
import { clientOf, gateOver, lab, someGrants, until } from './lab.ts'

/** A tool that answers so whatever it is asked. */
function answering(name: string, result: Readonly<Record<string, unknown>>, more: object = {}): LabTool {
  return { definition: { name, inputSchema: { type: 'object' }, ...more }, call: () => result }
}

/** A tool that hangs until its call is cancelled. */
function hanging(): LabTool & { readonly seen: { running: number; cancelled: number } } {
  const seen = { running: 0, cancelled: 0 }
  return {
    seen,
    definition: { name: 'hang', inputSchema: { type: 'object' } },
    call: (_input, { signal }) =>
      new Promise((resolve) => {
        seen.running += 1
        signal.addEventListener('abort', () => {
          seen.cancelled += 1
          resolve({ content: [] })
        })
      }),
  }
}

const call = async (server: LabServer, name: string, options: object = {}) =>
  gateOver([clientOf(server, options)]).execute({ name: `lab_${name}`, input: {} })

describe('permissions', () => {
  it('are by origin, whatever wrappers call the tools', async () => {
    const server = await lab()
    const local = tool({ name: 'local', description: 'Is local.', execute: () => 'here' })
    const gate = gateOver([prefixed(clientOf(server), 'my'), local], {
      permissions: { allowOrigins: ['app'] },
    })
    expect((await gate.list()).map(({ definition }) => definition.name)).toEqual(['local'])
    expect(await gate.execute({ name: 'my_lab_echo', input: { text: 'hi' } })).toMatchObject({
      outcome: 'not-allowed',
    })
    expect(server.of('tools/call')).toEqual([])
    const open = gateOver([prefixed(clientOf(server), 'my'), local], {
      permissions: { allowOrigins: ['mcp:lab'] },
    })
    expect(await open.execute({ name: 'my_lab_echo', input: { text: 'hi' } })).toMatchObject({
      outcome: 'success',
      origin: 'mcp:lab',
      response: { text: fenced('hi') },
    })
    expect(server.of('tools/call')[0]?.message?.params).toMatchObject({
      name: 'echo',
      arguments: { text: 'hi' },
    })
  })

  it('an origin on the deny list is denied', async () => {
    const gate = gateOver([clientOf(await lab())], { permissions: { denyOrigins: ['mcp:lab'] } })
    expect(await gate.list()).toEqual([])
  })
})

describe('approval', () => {
  it('is asked for before each call when nothing else is said', async () => {
    const server = await lab()
    const asked: unknown[] = []
    const gate = gateOver([clientOf(server, { needsApproval: true })], {
      confirm: ({ toolName, origin, input }) => {
        asked.push([toolName, origin, input])
        expect(server.of('tools/call')).toEqual([])
        return { approved: false }
      },
    })
    expect(await gate.execute({ name: 'lab_echo', input: { text: 'hi' } })).toMatchObject({
      outcome: 'denied',
    })
    expect(asked).toEqual([['lab_echo', 'mcp:lab', { text: 'hi' }]])
    expect(server.of('tools/call')).toEqual([])
  })

  it('is true when the option is not given', async () => {
    const server = await lab()
    const client = new MCPClient({ url: server.url, namespace: 'lab', pinStore: memoryPinStore() })
    onTestFinished(() => client.close())
    const [first] = await client.list()
    expect(first?.definition.needsApproval).toBe(true)
  })

  it('may be decided by the name at the server and the input', async () => {
    const server = await lab()
    const asked: unknown[] = []
    const gate = gateOver(
      [clientOf(server, { needsApproval: ({ tool, input }) => tool === 'echo' && input.text !== 'hi' })],
      {
        confirm: ({ input }) => {
          asked.push(input)
          return true
        },
      },
    )
    for (const text of ['hi', 'ho']) await gate.execute({ name: 'lab_echo', input: { text } })
    expect(asked).toEqual([{ text: 'ho' }])
  })

  it('a server that says of its tool that it only reads is asked about all the same', async () => {
    const server = await lab({
      tools: [answering('read', textResult('read'), { annotations: { readOnlyHint: true } })],
    })
    const [listed] = await clientOf(server, { needsApproval: true }).list()
    expect(listed?.definition).toMatchObject({ needsApproval: true, labels: { effect: 'external' } })
  })
})

describe('deadlines', () => {
  it('P22 a call that hangs at the server is cancelled there, and its connection is free again', async () => {
    const hang = hanging()
    const server = await lab({ tools: [hang, textTool('echo')] })
    // Time enough for the call behind it, on a machine that is busy.
    const gate = gateOver([clientOf(server, { timeoutMs: 1_500 })])
    expect(await gate.execute({ name: 'lab_hang', input: {} })).toMatchObject({
      outcome: 'timeout',
      response: { text: expect.stringContaining('1500 ms') },
    })
    await until(() => hang.seen.cancelled === 1)
    await until(() => server.of('tools/call').every(({ isOpen }) => !isOpen()))
    expect(await gate.execute({ name: 'lab_echo', input: {} })).toMatchObject({ outcome: 'success' })
  })

  it('twelve calls that hang all end, and leave room for the next', async () => {
    const hang = hanging()
    const server = await lab({ tools: [hang, textTool('echo')] })
    const gate = gateOver([clientOf(server, { timeoutMs: 1_500 })])
    const requests = Array.from({ length: 12 }, () => ({ name: 'lab_hang', input: {} }))
    const results = await gate.executeStep(requests)
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(12).fill('timeout'))
    expect(await gate.execute({ name: 'lab_echo', input: {} })).toMatchObject({ outcome: 'success' })
    await until(() => hang.seen.running === hang.seen.cancelled)
  })

  it('an aborted run cancels its calls at the server', async () => {
    const hang = hanging()
    const server = await lab({ tools: [hang] })
    const gate = gateOver([clientOf(server)])
    const controller = new AbortController()
    const running = gate.execute({ name: 'lab_hang', input: {} }, { signal: controller.signal })
    await until(() => hang.seen.running === 1)
    controller.abort()
    expect(await running).toMatchObject({
      outcome: 'cancelled',
      response: { text: expect.stringContaining('may have run') },
    })
    await until(() => hang.seen.cancelled === 1)
  })

  it('a call that waited for nothing and never went out has not run', async () => {
    const server = await lab()
    const client = clientOf(server)
    const signal = AbortSignal.abort()
    expect(await client.call('lab_echo', { text: 'hi' }, { signal })).toEqual({
      kind: 'stopped',
      mayHaveRun: false,
    })
    expect(server.of('tools/call')).toEqual([])
  })
})

it('calls of one step run at the same time at the server', async () => {
  let running = 0
  let most = 0
  const server = await lab({
    tools: [
      {
        definition: { name: 'meet', inputSchema: { type: 'object' } },
        call: async () => {
          running += 1
          most = Math.max(most, running)
          await sleep(100)
          running -= 1
          return textResult('met')
        },
      },
    ],
  })
  const gate = gateOver([clientOf(server)])
  const results = await gate.executeStep(Array.from({ length: 4 }, () => ({ name: 'lab_meet', input: {} })))
  expect(results.map(({ response }) => response.text)).toEqual(Array(4).fill(fenced('met')))
  expect(most).toBeGreaterThan(1)
})

it('progress of the server is progress of the call', async () => {
  const told: unknown[] = []
  const gate = gateOver([clientOf(await lab())], {
    onEvent: (event) => {
      if (event.type === 'progress') told.push(event.value)
    },
  })
  await gate.execute({ name: 'lab_slow', input: { ms: 40, steps: 2 } })
  expect(told).toEqual([
    { progress: 1, total: 2, message: 'step 1' },
    { progress: 2, total: 2, message: 'step 2' },
  ])
})

describe('results', () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }

  it.each([{ structuredContent: { error: 'x' } }, {}])(
    'E16 an error result keeps its cause, with %j beside it',
    async (more) => {
      const result = { isError: true, content: [{ type: 'text', text: 'quota used up' }], ...more }
      const server = await lab({ tools: [answering('ask', result, { outputSchema })] })
      expect(await call(server, 'ask')).toMatchObject({
        outcome: 'error',
        response: { text: fenced('quota used up'), status: 'error' },
      })
    },
  )

  it('E18 an embedded file is a part with name, type and size, and its bytes are not in the text', async () => {
    const resource = { uri: 'file:///r.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' }
    const server = await lab({ tools: [answering('file', { content: [{ type: 'resource', resource }] })] })
    const { outcome, response } = await call(server, 'file')
    expect(outcome).toBe('success')
    expect(response.parts).toMatchObject([
      { type: 'file', mediaType: 'application/pdf', name: 'r.pdf', size: 5 },
    ])
    expect(response.text).not.toContain('JVBERi0=')
    expect(response.text).toContain('r.pdf')
  })

  it.each([
    ['image/png', 'iVBORw0KGgo=', 'image'],
    ['image/svg+xml', btoa('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'file'],
  ])('E20 an answer that is one %s only is not empty', async (mimeType, data, type) => {
    const content = [{ type: 'image', data, mimeType }]
    const { outcome, response } = await call(await lab({ tools: [answering('draw', { content })] }), 'draw')
    expect(outcome).toBe('success')
    expect(response.text).toContain(mimeType)
    expect(response.text).not.toContain(data)
    expect(response.parts?.map((part) => part.type)).toEqual([type])
  })

  it('D15 half of a character is replaced', async () => {
    const server = await lab({ tools: [answering('half', textResult('ok \ud83d'))] })
    expect((await call(server, 'half')).response.text).toEqual(fenced('ok \ufffd'))
  })

  it('D15 a text that is cut keeps whole characters', async () => {
    const server = await lab({ tools: [answering('long', textResult('😀'.repeat(1_000)))] })
    for (const maxResultChars of [99, 100]) {
      const { outcome, response } = await call(server, 'long', { maxResultChars })
      expect(outcome).toBe('partial')
      expect(withoutFence(response.text).length).toBeLessThanOrEqual(maxResultChars)
      // Throws for half of a character.
      expect(encodeURIComponent(response.text)).not.toContain('%EF%BF%BD')
    }
  })

  it('S18 an error of the protocol is an error result, and the next call works', async () => {
    const server = await lab()
    const gate = gateOver([clientOf(server)])
    server.options = {
      ...server.options,
      answer: {
        'tools/call': () => Promise.reject(Object.assign(new Error('No such row'), { code: -32602 })),
      },
    }
    expect(await gate.execute({ name: 'lab_echo', input: { text: 'hi' } })).toMatchObject({
      outcome: 'error',
      response: { text: expect.stringContaining('No such row') },
      error: { code: 'server' },
    })
    server.options = {}
    expect(await gate.execute({ name: 'lab_echo', input: { text: 'hi' } })).toMatchObject({
      outcome: 'success',
    })
  })
})

describe('names', () => {
  it('E26 two servers offer the same tool: each call goes to its own', async () => {
    const [a, b] = [
      await lab({ tools: [textTool('read_node', 'of A')] }),
      await lab({ tools: [textTool('read_node', 'of B')] }),
    ]
    const gate = gateOver([clientOf(a, { namespace: 'a' }), clientOf(b, { namespace: 'b' })])
    const results = await gate.executeStep([
      { name: 'b_read_node', input: {} },
      { name: 'a_read_node', input: {} },
    ])
    expect(results.map(({ response, origin }) => [response.text, origin])).toEqual([
      [fenced('of B'), 'mcp:b'],
      [fenced('of A'), 'mcp:a'],
    ])
  })

  it('E26 a grant for one server is none for the other', async () => {
    const [a, b] = [
      await lab({ tools: [textTool('read_node')] }),
      await lab({ tools: [textTool('read_node')] }),
    ]
    const asked: string[] = []
    const gate = gateOver(
      [a, b].map((server, index) => clientOf(server, { namespace: `s${index}`, needsApproval: true })),
      {
        grants: someGrants(),
        confirm: ({ toolName }) => {
          asked.push(toolName)
          return { approved: true, remember: 'always' }
        },
      },
    )
    for (const name of ['s0_read_node', 's0_read_node', 's1_read_node']) {
      await gate.execute({ name, input: {} })
    }
    expect(asked).toEqual(['s0_read_node', 's1_read_node'])
  })

  it('E26 a server that offers calculator does not replace the local one', async () => {
    const server = await lab({ tools: [textTool('calculator', 'remote')] })
    const client = clientOf(server)
    const local = tool({ name: 'calculator', description: 'Calculates.', execute: () => 'local' })
    const gate = gateOver([client, local])
    expect((await gate.execute({ name: 'calculator', input: {} })).response.text).toBe('local')
    expect((await gate.execute({ name: 'lab_calculator', input: {} })).response.text).toEqual(
      fenced('remote'),
    )
    const [remote] = await client.loadTools()
    const registry = new ToolRegistry()
    registry.register(tool({ name: 'lab_calculator', description: 'Calculates.', execute: () => 'local' }))
    expect(() => registry.register(remote as NonNullable<typeof remote>, { overwrite: true })).toThrow(
      /"mcp:lab" cannot replace "lab_calculator" of origin "app"/,
    )
  })

  it('E26 of two clients of one namespace the second is told to take another', async () => {
    const server = await lab()
    const source = combined([clientOf(server), clientOf(server)])
    expect(await source.list()).toHaveLength(3)
    expect(source.notes?.()).toHaveLength(3)
    const reason = expect.stringContaining('Give the server "lab" another namespace')
    expect(source.notes?.()[0]).toEqual({ kind: 'dropped', tool: 'lab_echo', reason })
  })

  it('E28 names of 64 characters are cut with a hash, and both tools can be reached', async () => {
    const long = 'x'.repeat(64)
    const server = await lab({ tools: [textTool(`${long}1`, 'first'), textTool(`${long}2`, 'second')] })
    const gate = gateOver([clientOf(server)])
    const names = (await gate.list()).map(({ definition }) => definition.name)
    expect(new Set(names).size).toBe(2)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    const results = await gate.executeStep(names.map((name) => ({ name, input: {} })))
    expect(results.map(({ response }) => response.text)).toEqual([fenced('first'), fenced('second')])
  })
})

it('tools that were loaded into a registry run behind its own gate', async () => {
  const server = await lab()
  const client = clientOf(server, { needsApproval: true })
  const registry = new ToolRegistry()
  registry.registerAll(await client.loadTools())
  const options = { confirm: () => true } as const
  expect(await registry.executeTool('lab_echo', { text: 'hi' }, options)).toMatchObject({
    outcome: 'success',
    origin: 'mcp:lab',
    response: { text: fenced('hi') },
  })
  server.changeTools([textTool('echo')])
  await until(() => server.of('tools/list').length > 1)
  expect(await registry.executeTool('lab_echo', { text: 'hi' }, options)).toMatchObject({
    outcome: 'error',
    response: { text: expect.stringContaining('changed or removed') },
  })
})

it('S18 a server that refuses initialize leaves the other one its tools', async () => {
  const good = await lab()
  const bad = await lab({ answer: { initialize: () => Promise.reject(new Error('no')) } })
  const clients = [clientOf(good, { namespace: 'good' }), clientOf(bad, { namespace: 'bad' })]
  const source = combined(clients)
  expect((await source.list()).map(({ definition }) => definition.name)).toEqual([
    'good_echo',
    'good_slow',
    'good_fails',
  ])
  expect(source.notes?.()).toMatchObject([{ kind: 'failed', source: 'mcp:bad' }])
  expect(clients.map(({ status }) => status.state)).toEqual(['ready', 'failed'])
})
