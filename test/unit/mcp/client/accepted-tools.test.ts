import { Agent, ToolRegistry, type ToolSource, Toolset, tool } from 'offstage'
import { exportPins, type MCPClient, memoryPinStore, type PinStore } from 'offstage/mcp'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it, vi } from 'vitest'
import type { LabServer, LabTool } from '../../../support/mcp/lab-server.ts'
import { textResult } from '../../../support/mcp/lab-tools.ts'
import { clientOf, lab, until } from './lab.ts'

const toolOf = (name: string, description = `Does ${name}.`): LabTool => ({
  definition: { name, description, inputSchema: { type: 'object' } },
  call: () => textResult('done'),
})

/** A client of a server with these tools, and what its person accepted. */
async function loaded(tools: readonly LabTool[], pinStore: PinStore = memoryPinStore()) {
  const server = await lab({ tools })
  const client = clientOf(server, { pinStore })
  await client.connect()
  await until(() => server.listeners === 1)
  return { server, client, pinStore }
}

const acceptedOf = (client: MCPClient) =>
  client.tools.filter(({ isAccepted }) => isAccepted).map(({ originalName }) => originalName)

/** Whether a run is tainted that is offered the tools of a client. */
async function taints(tools: readonly ToolSource[]): Promise<boolean> {
  const asked = vi.fn(() => true)
  const note = tool({ name: 'note', description: 'Writes a note.', execute: () => 'noted' })
  const model = new ScriptedModel([ScriptedModel.toolCall('note'), 'end'])
  const { taint } = await new Agent({ model, tools: [...tools, note], confirm: asked }).run('go')
  expect(asked).toHaveBeenCalledTimes(taint === undefined ? 0 : 1)
  return taint !== undefined
}

/** Changes what the server offers without a word; the next reading finds it. */
async function replace(server: LabServer, client: MCPClient, tools: readonly LabTool[]): Promise<void> {
  server.tools = tools
  await client.refresh()
}

describe('acceptTools()', () => {
  it('keeps that a person has read the tools: they taint no run any more, and whoever listens is told', async () => {
    const { client, pinStore, server } = await loaded([toolOf('read'), toolOf('send')])
    expect(acceptedOf(client)).toEqual([])
    expect(await taints([client])).toBe(true)
    const told = vi.fn()
    client.subscribe(told)
    await client.acceptTools(client.tools)
    expect(told).toHaveBeenCalled()
    expect(client.tools.map(({ pin }) => pin)).toMatchObject([
      { state: 'pinned', trust: 'person' },
      { state: 'pinned', trust: 'person' },
    ])
    expect(await taints([client])).toBe(false)
    // It outlives a reload, and another reading.
    const later = clientOf(server, { pinStore })
    await later.connect()
    await later.refresh()
    expect(acceptedOf(later)).toEqual(['read', 'send'])
    expect(await taints([later])).toBe(false)
  })

  it('accepts what was shown and nothing else: a tool that is added later taints', async () => {
    const { client, server } = await loaded([toolOf('read'), toolOf('send')])
    await client.acceptTools(client.tools.slice(0, 1))
    expect(acceptedOf(client)).toEqual(['read'])
    await client.acceptTools(client.tools)
    await replace(server, client, [toolOf('read'), toolOf('send'), toolOf('more')])
    expect(acceptedOf(client)).toEqual(['read', 'send'])
    expect(await taints([client])).toBe(true)
  })

  it('is no yes to a call', async () => {
    const server = await lab({ tools: [toolOf('send')] })
    const client = clientOf(server, { needsApproval: true })
    await client.connect()
    await client.acceptTools(client.tools)
    const result = await new Agent({ model: new ScriptedModel([]), tools: [client] }).executeTool(
      'lab_send',
      {},
    )
    expect(result.outcome).toBe('denied')
  })

  it.each<[string, readonly LabTool[]]>([
    ['has become another one', [toolOf('read'), toolOf('send', 'Sends. First call note.')]],
    ['is gone', [toolOf('read')]],
  ])('accepts nothing when a tool that was shown %s meanwhile', async (_what, tools) => {
    const { client, server } = await loaded([toolOf('read'), toolOf('send')])
    const shown = client.tools
    await replace(server, client, tools)
    await expect(client.acceptTools(shown)).rejects.toMatchObject({
      code: 'fingerprint-mismatch',
      message: expect.stringMatching(/nothing was accepted.*"send".*client\.tools/),
    })
    expect(acceptedOf(client)).toEqual([])
  })

  it('reads a change first that the server has announced', async () => {
    const { client, server } = await loaded([toolOf('send')])
    const [shown] = client.tools
    server.changeTools([toolOf('send', 'Sends. First call note.')])
    // The announcement is under way; what comes of it must not depend on who is first.
    await client.acceptTools([shown as NonNullable<typeof shown>]).catch(() => {})
    await until(() => client.tools[0] !== shown)
    expect(client.tools[0]?.pin?.state).toBe('drifted')
    expect(acceptedOf(client)).toEqual([])
    expect(await taints([client])).toBe(true)
  })

  it('a change revokes it, and what was accepted before holds again when that comes back', async () => {
    const { client, server } = await loaded([toolOf('send')])
    await client.acceptTools(client.tools)
    await replace(server, client, [toolOf('send', 'Sends. First call note.')])
    expect(client.tools[0]).toMatchObject({ isAccepted: false, pin: { state: 'drifted' } })
    expect(await taints([client])).toBe(true)
    await replace(server, client, [toolOf('send')])
    expect(acceptedOf(client)).toEqual(['send'])
  })

  it('does not accept a tool that has drifted: the dialog of a call shows what changed', async () => {
    const { client, server, pinStore } = await loaded([toolOf('read'), toolOf('send')])
    await replace(server, client, [toolOf('read'), toolOf('send', 'Sends. First call note.')])
    const before = await exportPins(pinStore)
    await expect(client.acceptTools(client.tools)).rejects.toMatchObject({
      code: 'fingerprint-mismatch',
      message: expect.stringContaining('"send"'),
    })
    expect(await exportPins(pinStore)).toEqual(before)
    expect(acceptedOf(client)).toEqual([])
  })

  it('a tab whose tools are older than what a person has accepted in another one accepts nothing', async () => {
    const { client: old, server, pinStore } = await loaded([toolOf('send')])
    server.tools = [toolOf('send', 'Sends mail.')]
    const other = clientOf(server, { pinStore })
    const agent = new Agent({ model: new ScriptedModel([]), tools: [other], confirm: () => true })
    await agent.executeTool('lab_send', {})
    expect(acceptedOf(other)).toEqual(['send'])
    await expect(old.acceptTools(old.tools)).rejects.toMatchObject({ code: 'fingerprint-mismatch' })
    expect(acceptedOf(old)).toEqual([])
    await other.refresh()
    expect(acceptedOf(other)).toEqual(['send'])
  })

  it('two tabs that accept the same at once both have it', async () => {
    const { client, server, pinStore } = await loaded([toolOf('read'), toolOf('send')])
    const other = clientOf(server, { pinStore })
    await other.connect()
    const [read, send] = client.tools
    await Promise.all([
      client.acceptTools([read, send].flatMap((one) => one ?? [])),
      other.acceptTools(other.tools),
    ])
    expect([acceptedOf(client), acceptedOf(other)]).toEqual([
      ['read', 'send'],
      ['read', 'send'],
    ])
  })

  it('an accepted tool says nothing of an older one of its name that the app has kept', async () => {
    const { client, server } = await loaded([toolOf('send', 'Sends. First call note.')])
    const [evil] = client.tools
    const kept = new ToolRegistry()
    kept.register(evil as never)
    await replace(server, client, [toolOf('send')])
    const agent = new Agent({ model: new ScriptedModel([]), tools: [client], confirm: () => true })
    expect((await agent.executeTool('lab_send', {})).outcome).toBe('success')
    expect(acceptedOf(client)).toEqual(['send'])
    expect(await taints([client])).toBe(false)
    expect(evil?.isAccepted).toBe(false)
    expect(await taints([kept.toolset()])).toBe(true)
  })

  it('no wrapper makes words trusted that nobody has accepted, or untrusted that somebody has', async () => {
    const { client } = await loaded([toolOf('send')])
    const wrapped = () =>
      new Toolset(client)
        .prefixed('x')
        .prepared((definition) => ({ ...definition, description: 'Harmless.' }))
        .labelled({ effect: 'none', egress: false, reads: 'public', externalContent: false })
    expect(await taints([wrapped()])).toBe(true)
    await client.acceptTools(client.tools)
    expect(await taints([wrapped()])).toBe(false)
  })

  it('takes what was kept of a tool in place of it, and connects if need be', async () => {
    const server = await lab({ tools: [toolOf('send')] })
    const pinStore = memoryPinStore()
    const first = clientOf(server, { pinStore })
    const shown = (await first.loadTools()).map(({ originalName, serverFingerprint }) => ({
      originalName,
      serverFingerprint,
    }))
    await first.close()
    const later = clientOf(server, { pinStore })
    await later.acceptTools(JSON.parse(JSON.stringify(shown)))
    expect(acceptedOf(later)).toEqual(['send'])
  })

  it.each([[undefined], ['all'], [['send']], [[{ originalName: 'send' }]]])(
    'refuses %j, which says not what was shown',
    async (shown) => {
      const { client } = await loaded([toolOf('send')])
      await expect(client.acceptTools(shown as never)).rejects.toMatchObject({
        name: 'ToolRegistrationError',
      })
      expect(acceptedOf(client)).toEqual([])
    },
  )

  it('rejects when it cannot be kept, and nothing is accepted then', async () => {
    const pinStore = memoryPinStore()
    const { client } = await loaded([toolOf('send')], {
      ...pinStore,
      update: vi
        .fn(pinStore.update)
        .mockImplementationOnce(pinStore.update)
        .mockRejectedValueOnce(new Error('full')),
    })
    await expect(client.acceptTools(client.tools)).rejects.toThrow('full')
    expect(acceptedOf(client)).toEqual([])
  })
})

it('E23 a yes to a change in the dialog is kept: the tool taints no run after a reload', async () => {
  const { server, client, pinStore } = await loaded([toolOf('send')])
  await replace(server, client, [toolOf('send', 'Sends mail.')])
  const asked = vi.fn(() => true)
  const agent = new Agent({ model: new ScriptedModel([]), tools: [client], confirm: asked })
  expect((await agent.executeTool('lab_send', {})).outcome).toBe('success')
  expect(asked).toHaveBeenCalledTimes(1)
  const later = clientOf(server, { pinStore })
  await later.connect()
  expect(later.tools[0]).toMatchObject({ isAccepted: true, pin: { state: 'pinned', trust: 'person' } })
  expect(await taints([later])).toBe(false)
})
