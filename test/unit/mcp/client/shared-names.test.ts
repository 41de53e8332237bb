import { Agent, combined, dynamic, filtered, renamed, Toolset, tool, withoutFence } from 'offstage'
import type { MCPClient } from 'offstage/mcp'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it } from 'vitest'
import { textTool } from '../../../support/mcp/lab-tools.ts'
import { clientOf, gateOver, lab } from './lab.ts'

/** Two servers whose tools have one name together with their namespaces; the first or the second answers late. */
async function clashing(late?: 'first' | 'second'): Promise<readonly [MCPClient, MCPClient]> {
  const slowly = { answer: { 'tools/list': () => new Promise<undefined>((go) => setTimeout(go, 100)) } }
  const [one, two] = [
    await lab({ tools: [textTool('b_c', 'of a')], ...(late === 'first' ? slowly : {}) }),
    await lab({ tools: [textTool('c', 'of a_b'), textTool('d')], ...(late === 'second' ? slowly : {}) }),
  ]
  return [clientOf(one, { namespace: 'a' }), clientOf(two, { namespace: 'a_b' })]
}

const local = (name: string) => tool({ name, description: 'Is local.', execute: () => 'local' })

describe('E26 a name that two servers make of their namespaces and tools', () => {
  it.each([undefined, 'first', 'second'] as const)(
    'is that of the server that stands first, also when it answers later (late: %s), and a note names both',
    async (late) => {
      const clients = await clashing(late)
      const model = new ScriptedModel([{ calls: [{ name: 'a_b_c', input: {} }] }, 'Done.'])
      const agent = new Agent({ model, tools: [...clients], policy: 'off' })
      const [notes, results]: unknown[][] = [[], []]
      for await (const event of agent.stream('Go')) {
        if (event.type === 'step-start') notes?.push(event.notes)
        if (event.type === 'result') results?.push(withoutFence(event.result.response.text))
      }
      expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['a_b_c', 'a_b_d'])
      expect(results).toEqual(['of a'])
      const reason = expect.stringMatching(/"mcp:a" and "mcp:a_b".*that of "mcp:a" .*another namespace/)
      expect(notes?.[0]).toEqual([{ kind: 'dropped', tool: 'a_b_c', reason }])
    },
  )

  it('leads a direct call to where the list does', async () => {
    const [a, ab] = await clashing()
    for (const [first, second, text] of [
      [a, ab, 'of a'],
      [ab, a, 'of a_b'],
    ] as const) {
      const source = combined([first, second])
      const listed = (await source.list()).find(({ definition }) => definition.name === 'a_b_c')
      expect(listed?.origin).toBe(text === 'of a' ? 'mcp:a' : 'mcp:a_b')
      expect(await source.preflight('a_b_c', {})).toMatchObject({ kind: 'ready' })
      expect(await source.call('a_b_c', {})).toMatchObject({ kind: 'response', response: { text } })
    }
  })
})

describe('E26 a local tool whose name a server also makes', () => {
  it.each([
    ['before the client', (client: MCPClient) => [local('a_b_c'), client]],
    ['in a toolset behind the client', (client: MCPClient) => [client, new Toolset([local('a_b_c')])]],
    [
      'in a toolset whose list may change',
      (client: MCPClient) => [client, filtered(new Toolset([local('a_b_c')]), () => true)],
    ],
    ['made for each run', (client: MCPClient) => [client, dynamic(() => [local('a_b_c')])]],
  ] as const)('keeps it: %s', async (_where, together) => {
    const [client] = await clashing()
    const gate = gateOver(together(client))
    expect((await gate.list()).map(({ definition, origin }) => [definition.name, origin])).toEqual([
      ['a_b_c', 'app'],
    ])
    expect(await gate.execute({ name: 'a_b_c', input: {} })).toMatchObject({
      origin: 'app',
      response: { text: 'local' },
    })
  })

  it('keeps it when the tool of the server comes later', async () => {
    const server = await lab({ tools: [] })
    const client = clientOf(server)
    const gate = gateOver([client, local('lab_late')])
    expect(await gate.list()).toHaveLength(1)
    server.tools = [textTool('late', 'remote'), textTool('more')]
    await client.refresh()
    expect((await gate.list()).map(({ definition }) => definition.name)).toEqual(['lab_late', 'lab_more'])
    expect((await gate.execute({ name: 'lab_late', input: {} })).response.text).toBe('local')
  })
})

it('two toolsets of the developer stay an error', async () => {
  const gate = gateOver([new Toolset([local('same')]), new Toolset([local('same')])])
  await expect(gate.list()).rejects.toThrow(/Two tools are named "same"/)
})

it('a tool that comes later under a name that another one was given is left out with a note', async () => {
  const server = await lab({ tools: [textTool('send', 'first')] })
  const client = clientOf(server)
  const source = renamed(client, { lab_mail: 'lab_send' })
  expect(await source.list()).toHaveLength(1)
  server.tools = [textTool('mail', 'second'), textTool('send', 'first')]
  await client.refresh()
  expect((await source.list()).map(({ definition }) => definition.name)).toEqual(['lab_mail'])
  expect(source.notes?.()).toMatchObject([{ kind: 'dropped', tool: 'lab_mail' }])
  expect(await source.call('lab_mail', {})).toMatchObject({ response: { text: 'first' } })
})

describe('E26 a name of a server that a prefix makes too long', () => {
  it.each([undefined, { allowOrigins: ['mcp:a'] } as const])(
    'is left out with a note, and the other tools are offered (permissions: %o)',
    async (permissions) => {
      const server = await lab({ tools: [textTool('x'.repeat(60)), textTool('short')] })
      const source = new Toolset([clientOf(server, { namespace: 'a' })]).prefixed('far')
      const model = new ScriptedModel(['Done.'])
      const agent = new Agent({ model, tools: [source], ...(permissions && { permissions }) })
      const notes: unknown[] = []
      for await (const event of agent.stream('Go')) {
        if (event.type === 'step-start') notes.push(...event.notes)
      }
      expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['far_a_short'])
      const reason = expect.stringContaining('Shorten a prefix')
      expect(notes).toContainEqual({ kind: 'dropped', tool: expect.stringContaining('far_a_xxx'), reason })
    },
  )
})
