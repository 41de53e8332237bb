import { Agent, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it } from 'vitest'
import { fenced } from '../../../support/fenced.ts'
import type { LabServer, LabServerOptions } from '../../../support/mcp/lab-server.ts'
import { clientOf, gateOver, lab, until } from './lab.ts'

const echo = { name: 'lab_echo', input: { text: 'hi' } }

/** A `fetch` that shows of answers what a browser shows to a page of another origin. */
const crossOrigin =
  (exposed: readonly string[]): typeof fetch =>
  async (...given) => {
    const response = await fetch(...given)
    const headers = new Headers(response.headers)
    for (const [name] of response.headers) {
      if (!['content-type', 'cache-control', ...exposed].includes(name)) headers.delete(name)
    }
    const { status, statusText, body } = response
    return new Response(status === 204 ? null : body, { status, statusText, headers })
  }

describe('a session', () => {
  it('E01 P38 whose id a page cannot read: the header is named with the address, and nothing is tried for ever', async () => {
    const server = await lab({ lostStatus: 400 })
    const client = clientOf(server, { fetch: crossOrigin([]) })
    expect(await client.list()).toEqual([])
    expect(client.status).toMatchObject({ state: 'failed' })
    const { reason } = client.status as { readonly reason: string }
    expect(reason).toMatch(/mcp-session-id/i)
    expect(reason).toMatch(/access-control-expose-headers/i)
    expect(reason).toContain(server.url)
    const { length } = server.requests
    await client.list()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(server.requests).toHaveLength(length)
    expect(length).toBeLessThan(10)
  })

  it('E01 the same server works when the header can be read', async () => {
    const server = await lab({ lostStatus: 400 })
    const client = clientOf(server, { fetch: crossOrigin(['mcp-session-id']) })
    expect(await gateOver([client]).execute(echo)).toMatchObject({ outcome: 'success' })
  })

  it.each([404, 400])(
    'E05 that is lost between two calls is opened again, once and silently (%i)',
    async (lostStatus) => {
      const server = await lab({ lostStatus })
      const client = clientOf(server)
      const gate = gateOver([client])
      await gate.execute(echo)
      server.loseSessions()
      expect(await gate.execute(echo)).toMatchObject({ outcome: 'success', response: { text: fenced('hi') } })
      expect(server.of('initialize')).toHaveLength(2)
      expect(client.status.state).toBe('ready')
    },
  )

  it('E05 that is lost again and again is an error result', async () => {
    const server = await lab()
    const gate = gateOver([clientOf(server)])
    await gate.list()
    server.options = {
      ...server.options,
      handle: ({ message }, response) => {
        if (message?.method !== 'tools/call') return false
        response.writeHead(404).end('session not found')
        return true
      },
    }
    expect(await gate.execute(echo)).toMatchObject({ outcome: 'error', response: { status: 'error' } })
    expect(server.of('tools/call').length).toBeLessThanOrEqual(2)
  })

  it('E05 a call that may have run is not made again', async () => {
    const server = await lab()
    const gate = gateOver([clientOf(server)])
    await gate.list()
    server.options = {
      ...server.options,
      handle: ({ message }, response) => {
        if (message?.method !== 'tools/call') return false
        response.destroy()
        return true
      },
    }
    const result = await gate.execute(echo)
    expect(result).toMatchObject({
      outcome: 'error',
      response: { text: expect.stringContaining('may have run') },
    })
    expect(server.of('tools/call')).toHaveLength(1)
  })
})

describe('the stream on which a server speaks first', () => {
  it.each([404, 406, 400, 405])('E03 may be refused with %i: calls work all the same', async (getStatus) => {
    const server = await lab({ getStatus })
    const client = clientOf(server)
    const gate = gateOver([client])
    expect(await gate.execute(echo)).toMatchObject({ outcome: 'success' })
    await until(() => server.of('GET').length > 0)
    expect(await gate.execute(echo)).toMatchObject({ outcome: 'success' })
    expect(client.status.state).toBe('ready')
  })
})

it('E06 an answer that is no JSON-RPC is an error within the deadline', async () => {
  const server = await lab()
  const gate = gateOver([clientOf(server, { timeoutMs: 2_000 })])
  await gate.list()
  server.options = {
    ...server.options,
    handle: ({ message }, response) => {
      if (message?.method !== 'tools/call') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: message\ndata: {"error":"Session not found"}\n\n')
      return true
    },
  }
  const result = await gate.execute(echo)
  expect(['error', 'timeout']).toContain(result.outcome)
  expect(result.response.status).toBe('error')
})

describe('a server without sessions', () => {
  const stateless: LabServerOptions = { sessions: false, getStatus: 405, answers: 'json' }

  it('E08 works, and is read anew by refresh()', async () => {
    const server = await lab(stateless)
    const client = clientOf(server)
    const gate = gateOver([client])
    expect(await gate.execute(echo)).toMatchObject({ outcome: 'success' })
    server.tools = server.tools.slice(0, 1)
    await client.refresh()
    expect(await gate.list()).toHaveLength(1)
  })

  it('E08 of a version that nobody knows says which versions could be spoken', async () => {
    const server = await lab({ ...stateless, protocolVersion: '2099-01-01' })
    const client = clientOf(server)
    expect(await client.list()).toEqual([])
    expect(client.status).toMatchObject({ state: 'failed', code: 'protocol-version' })
    expect((client.status as { readonly reason: string }).reason).toContain('2099-01-01')
    await expect(client.connect()).rejects.toMatchObject({ name: 'McpError', code: 'protocol-version' })
  })
})

describe('an agent with a server that is not there', () => {
  const local = tool({ name: 'local', description: 'Is local.', execute: () => 'here' })

  async function goneServer(): Promise<Pick<LabServer, 'url'>> {
    const server = await lab()
    const { url } = server
    await server.close()
    return { url }
  }

  it('S18 goes on with its other tools, and its events say why', async () => {
    const client = clientOf(await goneServer())
    const model = new ScriptedModel([{ calls: [{ name: 'local', input: {} }] }, 'Done.'])
    const agent = new Agent({ model, tools: [client, local] })
    const notes: unknown[] = []
    for await (const event of agent.stream('Go')) {
      if (event.type === 'step-start') notes.push(event.notes)
    }
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['local'])
    expect(notes[0]).toMatchObject([{ kind: 'failed', source: 'mcp:lab', message: expect.any(String) }])
    expect(client.status).toMatchObject({ state: 'failed', code: 'unreachable' })
  })

  it('P22 is held up no longer than the deadline by one that never answers', async () => {
    const server = await lab({ handle: () => true })
    const client = clientOf(server, { timeoutMs: 100 })
    const agent = new Agent({ model: new ScriptedModel(['Done.']), tools: [client, local] })
    expect(await agent.run('Go')).toMatchObject({ status: 'done' })
    expect(client.status).toMatchObject({ state: 'failed', code: 'timeout' })
    await until(() => server.openAnswers === 0)
  })

  it('has its tools again once the server is there', async () => {
    const server = await lab()
    const client = clientOf(server)
    await client.connect()
    const { port } = server
    await server.close()
    expect((await client.call('lab_echo', { text: 'hi' })).kind).toBe('crash')
    expect(client.status.state).toBe('failed')
    expect(client.tools).toEqual([])
    await lab({ port })
    expect((await client.list()).length).toBe(3)
    expect(client.status.state).toBe('ready')
  })
})
