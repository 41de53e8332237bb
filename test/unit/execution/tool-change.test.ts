import {
  Agent,
  type AgentOptions,
  AgentSession,
  ApprovalQueue,
  type ApprovalRequest,
  ApprovalRequired,
  Grants,
  ToolExecutor,
  tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it, vi } from 'vitest'
import type { ToolChange } from '../../../src/tool/tool-change.ts'

const change: ToolChange = {
  fields: [
    {
      name: 'description',
      before: 'Send it.',
      after: 'Send it all.',
      segments: [
        { kind: 'same', text: 'Send it' },
        { kind: 'added', text: ' all' },
        { kind: 'same', text: '.' },
      ],
    },
  ],
}

function sender(where: 'check' | 'execute', given: unknown = change) {
  const ask = (approval: unknown) => {
    if (approval === undefined) {
      throw new ApprovalRequired('It has changed.', { change: given as ToolChange })
    }
  }
  const sent = vi.fn()
  const send = tool({
    name: 'send',
    description: 'Send it all.',
    check: (_input, { approval }) => {
      if (where === 'check') ask(approval)
    },
    execute: (_input, { approval }) => {
      if (where === 'execute') ask(approval)
      sent()
      return 'sent'
    },
  })
  return { send, sent }
}

describe.each(['check', 'execute'] as const)('what has changed of a tool, said by its %s', (where) => {
  it('is told to whoever is asked, beside the reason', async () => {
    const { send, sent } = sender(where)
    const confirm = vi.fn((_request: ApprovalRequest) => true)
    const result = await new ToolExecutor({ tools: [send], confirm }).execute({ name: 'send', input: {} })
    expect(confirm.mock.calls).toMatchObject([[{ reasons: ['It has changed.'], change }]])
    expect(result.outcome).toBe('success')
    // The yes says what it was a yes to.
    expect(result.approval).toEqual({ approved: true, change })
    expect(sent).toHaveBeenCalledTimes(1)
  })

  it('is part of a question that is left open, and of its request', async () => {
    const { send } = sender(where)
    const agent = () =>
      new Agent({
        name: 'a',
        model: new ScriptedModel([[ScriptedModel.toolCall('send', {})], 'done']),
        tools: [send],
        confirm: 'pause',
      })
    const paused = await agent().run('go')
    const [pending] = JSON.parse(JSON.stringify(paused.pending)) as typeof paused.pending
    expect(pending).toMatchObject({ reasons: ['It has changed.'], change })
    if (pending === undefined) throw new Error('no question')
    expect(agent().approvalRequest(pending)).toMatchObject({ callId: pending.callId, change })
    expect(agent().approvalRequest(pending)).not.toHaveProperty('digest')
    const session = new AgentSession({ agent: agent() })
    await session.send('go')
    expect(session.getSnapshot().pending).toMatchObject([{ change }])
  })

  it('is part of a question that waits in place', async () => {
    const { send } = sender(where)
    const approvals = new ApprovalQueue()
    const model = new ScriptedModel([[ScriptedModel.toolCall('send', {})], 'done'])
    const session = new AgentSession({
      agent: new Agent({ name: 'a', model, tools: [send], confirm: approvals.confirm }),
      approvals,
    })
    const ended = session.send('go')
    await vi.waitFor(() => expect(session.getSnapshot().pending).toMatchObject([{ change }]))
    session.getSnapshot().pending[0]?.answer(true)
    expect((await ended).status).toBe('idle')
  })

  it('that is not JSON fails the call and says so', async () => {
    const { send, sent } = sender(where, { fields: [new Map()] })
    const confirm = vi.fn(() => true)
    const { response } = await new ToolExecutor({ tools: [send], confirm }).execute({
      name: 'send',
      input: {},
    })
    expect(response.text).toContain('ApprovalRequired: change must be JSON: at "fields.0": a Map')
    expect(confirm).not.toHaveBeenCalled()
    expect(sent).not.toHaveBeenCalled()
  })
})

it('is told again when a run goes on without an answer, though the tool itself asks no more', async () => {
  let asks = true
  const send = tool({
    name: 'send',
    description: 'Send it all.',
    check: (_input, { approval }) => {
      if (asks && approval === undefined) throw new ApprovalRequired('It has changed.', { change })
    },
    execute: () => 'sent',
  })
  const agent = (turns: ConstructorParameters<typeof ScriptedModel>[0], confirm: AgentOptions['confirm']) =>
    new Agent({ name: 'a', model: new ScriptedModel(turns), tools: [send], ...(confirm && { confirm }) })
  const paused = await agent([[ScriptedModel.toolCall('send', {})], 'done'], 'pause').run('go')
  asks = false
  const confirm = vi.fn((_request: ApprovalRequest) => true)
  await agent(['done'], confirm).resume(JSON.parse(JSON.stringify(paused.state)), {})
  expect(confirm.mock.calls).toMatchObject([[{ reasons: ['It has changed.'], change }]])
})

it('a remembered yes is none to what has changed since: the person is asked', async () => {
  let isChanged = false
  const send = tool({
    name: 'send',
    description: 'Sends.',
    needsApproval: true,
    check: (_input, { approval }) => {
      if (isChanged && approval === undefined) throw new ApprovalRequired('It has changed.', { change })
    },
    execute: () => 'sent',
  })
  const confirm = vi.fn((_request: ApprovalRequest) => ({ approved: true, remember: 'session' as const }))
  const executor = new ToolExecutor({ tools: [send], confirm, grants: new Grants() })
  const call = () => executor.execute({ name: 'send', input: {} })
  await call()
  expect((await call()).approval).toMatchObject({ remembered: 'session' })
  expect(confirm).toHaveBeenCalledTimes(1)
  isChanged = true
  expect((await call()).approval).not.toHaveProperty('remembered')
  expect(confirm.mock.calls[1]).toMatchObject([{ change }])
})
