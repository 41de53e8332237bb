import { Agent, ApprovalRequired, Grants, ToolFailed, ToolRegistry, ToolResponse, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { memoryStore } from '../../../src/storage/memory-store.ts'
import { agentAfter, agentFor, callsOf, outcomes, overJson, Ran, stateOf, waiting } from './run-kit.ts'

/** Three tools beside each other: two are asked about, one is free. */
function kit() {
  const ran = new Ran()
  const a = ran.tool('a', { needsApproval: true, parallelSafe: true })
  const b = ran.tool('b', { needsApproval: true, parallelSafe: true })
  const free = ran.tool('free', { parallelSafe: true })
  return { ran, tools: [a, b, free] }
}

describe('a step with open questions', () => {
  it('F10 P3 runs what needs no answer at once and only once, and both results stand in call order', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('free', 'a'), { tools }).run('go')
    expect(paused).toMatchObject({ status: 'paused', finishReason: 'paused', steps: [] })
    expect(ran.log).toEqual(['free 1'])
    const [id = ''] = waiting(paused)
    for (const [answer, outcome] of [
      [true, 'success'],
      [false, 'denied'],
    ] as const) {
      const ended = await agentAfter({ tools }).resume(stateOf(paused), { [id]: answer })
      expect(ended).toMatchObject({ status: 'done', finalOutput: 'done' })
      expect(outcomes(ended)).toEqual(['success', outcome])
    }
    expect(ran.log).toEqual(['free 1', 'a 2'])
  })

  it('F10 a result that was there before the pause comes back with what the app reads of it', async () => {
    const { ran, tools } = kit()
    const told = ran.tool('told', {
      parallelSafe: true,
      execute: () => ToolResponse.partial('half', { data: [0, ''], metadata: { rows: 2 } }),
    })
    const paused = await agentFor(callsOf('told', 'a'), { tools: [...tools, told] }).run('go')
    const ended = await agentAfter({ tools }).resume(stateOf(paused), { [waiting(paused)[0] ?? '']: true })
    expect(ended.steps[0]?.results[0]).toMatchObject({
      outcome: 'partial',
      origin: 'app',
      executedInput: { n: 1 },
      response: { text: 'half', status: 'partial', data: [0, ''], metadata: { rows: 2 } },
    })
  })

  it('F13 keeps a half answered batch over two pages, and each call runs once', async () => {
    const { ran, tools } = kit()
    const first = await agentFor(callsOf('a', 'b', 'free'), { tools }).run('go')
    const [a = '', b = ''] = waiting(first)
    const second = await agentAfter({ tools }).resume(stateOf(first), { [a]: true })
    expect(waiting(second)).toEqual([b])
    const third = await agentAfter({ tools }).resume(stateOf(second), { [b]: true })
    expect(outcomes(third)).toEqual(['success', 'success', 'success'])
    expect(ran.log).toEqual(['free 3', 'a 1', 'b 2'])
    const message = third.messages.find(({ role }) => role === 'tool')
    expect(message).toMatchObject({
      results: [{ text: 'a ran with 1' }, { text: 'b ran with 2' }, { text: 'free ran with 3' }],
    })
  })

  it('F11 the model is not asked while a question is open, and an id of an earlier step is refused', async () => {
    const { ran, tools } = kit()
    const model = new ScriptedModel([callsOf('a', 'b'), callsOf('a'), 'done'])
    const agent = new Agent({ model, tools, confirm: 'pause' })
    const first = await agent.run('go')
    const [a = '', b = ''] = waiting(first)
    const second = await agent.resume(stateOf(first), { [a]: true })
    expect(model.requests).toHaveLength(1)
    const third = await agent.resume(stateOf(second), { [b]: false })
    const stale = agent.resume(stateOf(third), { [a]: true, [waiting(third)[0] ?? '']: true })
    await expect(stale).rejects.toMatchObject({ name: 'RunStateError', code: 'unknown-call' })
    await expect(stale).rejects.toThrow(/Nothing was run/)
    expect(ran.log).toEqual(['a 1'])
  })

  it('F11 who writes a new message instead has left the calls undone, and the model reads so', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a', 'free'), { tools }).run('go')
    const model = new ScriptedModel(['fine'])
    await new Agent({ model, tools }).run('never mind', { messages: overJson(paused.messages) })
    expect(model.requests[0]?.messages.at(-2)).toMatchObject({
      role: 'tool',
      results: [{ text: expect.stringContaining('did not answer') }, { text: 'free ran with 2' }],
    })
    expect(ran.log).toEqual(['free 2'])
  })

  it('P1 P25 one resume runs the call once and asks the model once', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a'), { tools }).run('go')
    const model = new ScriptedModel(['done'])
    const agent = new Agent({ model, tools, confirm: 'pause' })
    const ended = await agent.resume(stateOf(paused), { [waiting(paused)[0] ?? '']: true })
    expect(ended.status).toBe('done')
    expect(ran.log).toEqual(['a 1'])
    expect(model.requests).toHaveLength(1)
  })

  it('P2 P12 a later step has questions of its own, all of them answerable', async () => {
    const { ran, tools } = kit()
    const model = new ScriptedModel([callsOf('a'), callsOf('b', 'b'), 'done'])
    const agent = new Agent({ model, tools: () => tools, confirm: 'pause' })
    let result = await agent.run('go')
    for (let round = 0; result.status === 'paused'; round += 1) {
      expect(round).toBeLessThan(3)
      result = await agent.resume(stateOf(result), { [waiting(result)[0] ?? '']: true })
    }
    expect(result.status).toBe('done')
    expect(ran.log).toEqual(['a 1', 'b 1', 'b 2'])
  })

  it('P10 a denial ends the call: its text stands in the history and the next message is free', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a'), { tools }).run('go')
    const ended = await agentAfter({ tools }).resume(stateOf(paused), {
      [waiting(paused)[0] ?? '']: { approved: false, reason: 'not today' },
    })
    expect(ended).toMatchObject({ status: 'done', pending: [] })
    expect(ended.messages.find(({ role }) => role === 'tool')).toMatchObject({
      results: [{ outcome: 'denied', text: expect.stringContaining('not today') }],
    })
    const model = new ScriptedModel(['hello'])
    await new Agent({ model, tools }).run('hi', { messages: overJson(ended.messages) })
    expect(ran.log).toEqual([])
  })

  it('P9 the tool reads what the person wrote to their yes', async () => {
    let seen: unknown
    const told = tool({
      name: 'told',
      description: 'Reads the approval.',
      needsApproval: true,
      execute: (_input, { approval }) => {
        seen = approval
      },
    })
    const paused = await agentFor([ScriptedModel.toolCall('told')], { tools: [told] }).run('go')
    const answer = { approved: true, reason: 'only a draft' }
    await agentAfter({ tools: [told] }).resume(stateOf(paused), { [waiting(paused)[0] ?? '']: answer })
    expect(seen).toEqual(answer)
  })

  it('F06 an edited input is checked again, and the three inputs are kept apart', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a', 'b'), { tools }).run('go')
    const [a = '', b = ''] = waiting(paused)
    const slipped = await agentAfter({ tools }).resume(stateOf(paused), {
      [a]: { approved: true, input: { n: 1000 } },
      [b]: { approved: true, input: { n: 7 } },
    })
    // The person's slip is not the model's: the question stays open, and says what was wrong.
    expect([waiting(slipped), slipped.pending[0]?.input]).toEqual([[a], { n: 1 }])
    expect(slipped.pending[0]?.reasons.join()).toContain("'n'")
    const ended = await agentAfter({ tools }).resume(stateOf(slipped), { [a]: false })
    expect(outcomes(ended)).toEqual(['denied', 'success'])
    expect(ran.log).toEqual(['b 7'])
    expect(ended.steps[0]?.results[1]).toMatchObject({
      call: { input: { n: 2 } },
      approvedInput: { n: 7 },
      executedInput: { n: 7 },
      response: { text: expect.stringContaining('{"n":7}') },
    })
  })

  it('P17 the person can write on while calls wait, and answer them later', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a'), { tools }).run('go')
    const chat = new Agent({ model: new ScriptedModel(['Of course.']), tools, confirm: 'pause' })
    const aside = await chat.run('By the way …', { messages: paused.messages })
    expect([aside.status, aside.finalOutput, ran.log]).toEqual(['done', 'Of course.', []])
    const [a = ''] = waiting(paused)
    const ended = await agentAfter({ tools }).resume(stateOf(paused), { [a]: true })
    expect([outcomes(ended), ran.log]).toEqual([['success'], ['a 1']])
  })

  it('F18 an answer needs nothing but the id of the call', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a'), { tools }).run('go')
    const { callId } = overJson(paused.pending)[0] ?? { callId: '' }
    await agentAfter({ tools }).resume(stateOf(paused), { [callId]: { approved: true, reason: 'ok' } })
    expect(ran.log).toEqual(['a 1'])
  })

  it('S1 P30 two calls with one provider id are two questions, and a yes is for one of them', async () => {
    const { ran, tools } = kit()
    const twice = ['a', 'b'].map((name, n) => ScriptedModel.toolCall(name, { n: n + 1 }, 'dup'))
    const paused = await agentFor(twice, { tools }).run('go')
    const [a = '', b = ''] = waiting(paused)
    expect(a).not.toBe(b)
    const next = await agentAfter({ tools }).resume(stateOf(paused), { [a]: true })
    expect([ran.log, waiting(next)]).toEqual([['a 1'], [b]])
  })

  it('S2 P3 without an answer nothing runs, however often the state is taken up again', async () => {
    const { ran, tools } = kit()
    let paused = await agentFor(callsOf('a', 'b'), { tools }).run('go')
    for (let round = 0; round < 3; round += 1) {
      const next = await agentAfter({ tools }).resume(stateOf(paused))
      expect(next.pending).toEqual(paused.pending)
      paused = next
    }
    expect(ran.log).toEqual([])
  })

  it('S3 the person is asked about what middleware made of the input, and that runs', async () => {
    const { ran, tools } = kit()
    const clamp = { before: () => ({ input: { n: 50 } }) }
    const paused = await agentFor([ScriptedModel.toolCall('a', { n: 100 })], {
      tools,
      middleware: [clamp],
    }).run('go')
    expect(paused.pending[0]?.input).toEqual({ n: 50 })
    const id = waiting(paused)[0] ?? ''
    await agentAfter({ tools, middleware: [clamp] }).resume(stateOf(paused), { [id]: true })
    expect(ran.log).toEqual(['a 50'])
  })

  it('S3 F08 middleware that makes another input of it after the pause asks again', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a'), { tools }).run('go')
    const id = waiting(paused)[0] ?? ''
    const other = { tools, middleware: [{ before: () => ({ input: { n: 99 } }) }] }
    const again = await agentAfter(other).resume(stateOf(paused), { [id]: true })
    expect([waiting(again), again.pending[0]?.input]).toEqual([[id], { n: 99 }])
    await agentAfter(other).resume(stateOf(again), { [id]: true })
    expect(ran.log).toEqual(['a 99'])
  })

  it('S3 an input that wrap() changes to one that needs a yes is asked about before it runs', async () => {
    const { ran } = kit()
    const over50 = ran.tool('pay', { needsApproval: ({ n }) => n > 50 })
    const raise = {
      wrap: (_call: unknown, _context: unknown, next: (input?: object) => unknown) => next({ n: 90 }),
    }
    const options = { tools: [over50], middleware: [raise as never] }
    const paused = await agentFor(callsOf('pay'), options).run('go')
    expect(paused.pending[0]?.input).toEqual({ n: 90 })
    const ended = await agentAfter(options).resume(stateOf(paused), { [waiting(paused)[0] ?? '']: true })
    expect(outcomes(ended)).toEqual(['success'])
    expect(ran.log).toEqual(['pay 90'])
  })

  it('S5 a check may ask: the run pauses and goes on after the yes', async () => {
    const ran = new Ran()
    const del = ran.tool('del', {
      check: ({ n }) => {
        if (n > 0) throw new ApprovalRequired('more than nothing')
      },
    })
    const paused = await agentFor(callsOf('del'), { tools: [del] }).run('go')
    expect(paused.pending).toMatchObject([{ kind: 'approval', reasons: ['more than nothing'] }])
    const ended = await agentAfter({ tools: [del] }).resume(stateOf(paused), {
      [waiting(paused)[0] ?? '']: true,
    })
    expect([outcomes(ended), ran.log]).toEqual([['success'], ['del 1']])
  })

  it('S6 a sibling that was invalid needs no answer on resume', async () => {
    const { ran, tools } = kit()
    const turn = [ScriptedModel.toolCall('a', { n: 1 }), ScriptedModel.toolCall('free', { n: 'x' })]
    const paused = await agentFor(turn, { tools }).run('go')
    const ended = await agentAfter({ tools }).resume(stateOf(paused), { [waiting(paused)[0] ?? '']: true })
    expect([outcomes(ended), ran.log]).toEqual([['success', 'invalid'], ['a 1']])
  })

  it('S20 a denial is for one call: the next one of another tool is asked about', async () => {
    const { ran, tools } = kit()
    const agent = new Agent({
      model: new ScriptedModel([callsOf('a'), callsOf('b'), 'done']),
      tools,
      confirm: 'pause',
    })
    const first = await agent.run('go')
    const second = await agent.resume(stateOf(first), { [waiting(first)[0] ?? '']: false })
    expect(second.pending).toMatchObject([{ toolName: 'b' }])
    await agent.resume(stateOf(second), { [waiting(second)[0] ?? '']: true })
    expect(ran.log).toEqual(['b 1'])
  })

  it('S21 permissions and guards are asked again before an approved call runs', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a', 'b'), { tools }).run('go')
    const [a = '', b = ''] = waiting(paused)
    const guard = {
      before: ({ name }: { name: string }) => {
        if (name === 'b') throw new ToolFailed('not at night')
      },
    }
    const ended = await agentAfter({
      tools,
      permissions: { deny: ['a'] },
      middleware: [guard],
    }).resume(stateOf(paused), { [a]: true, [b]: true })
    expect([outcomes(ended), ran.log]).toEqual([['not-allowed', 'denied'], []])
  })

  it('P5 an answer to this very call beats what is remembered', async () => {
    const { ran, tools } = kit()
    const grants = new Grants({ store: memoryStore() })
    const options = { tools, grants }
    const paused = await agentFor(callsOf('a'), options).run('go')
    const id = waiting(paused)[0] ?? ''
    const first = await agentAfter(options).resume(stateOf(paused), {
      [id]: { approved: true, remember: { duration: 'always', scope: 'tool' } },
    })
    expect(first.status).toBe('done')
    const remembered = await agentFor(callsOf('a'), options).run('go')
    expect(remembered.status).toBe('done')
    const denied = await agentAfter(options).resume(stateOf(paused), { [id]: false })
    expect(outcomes(denied)).toEqual(['denied'])
    expect(ran.log).toEqual(['a 1', 'a 1'])
  })
})

describe('a question whose call is another one on resume', () => {
  it.each([
    ['its input', { input: { n: 2 } }],
    ['the input that was asked about', { pending: { input: { n: 2 } } }],
    ['both inputs', { input: { n: 2 }, pending: { input: { n: 2 } } }],
    ['its tool', { name: 'b' }],
    ['its id', { id: 'call_x', pending: { callId: 'call_x' } }],
    ['its digest', { pending: { digest: '' } }],
  ])('F08 P6 is asked anew when the state was changed in %s', async (_what, change) => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a'), { tools }).run('go')
    const state = stateOf(paused)
    const [call] = state.open?.calls ?? []
    const { pending = {}, ...others } = change as { pending?: object }
    const changed = { ...call, ...others, pending: { ...call?.pending, ...pending } }
    const forged = { ...state, open: { text: '', calls: [changed] } } as typeof state
    const again = await agentAfter({ tools }).resume(forged, { [String(changed.id)]: true })
    expect(again.status).toBe('paused')
    expect(again.pending).toHaveLength(1)
    expect(ran.log).toEqual([])
  })

  it('F08 is the same when only its keys stand in another order', async () => {
    const ran: unknown[] = []
    const two = tool({
      name: 'two',
      description: 'Two keys.',
      inputSchema: v.looseObject({ a: v.number() }),
      needsApproval: true,
      execute: (input) => void ran.push(input),
    })
    const turn = [ScriptedModel.toolCall('two', { a: 1, b: { c: 1, d: 2 } })]
    const paused = await agentFor(turn, { tools: [two] }).run('go')
    const text = JSON.stringify(stateOf(paused)).replaceAll(
      '{"a":1,"b":{"c":1,"d":2}}',
      '{"b":{"d":2,"c":1},"a":1}',
    )
    await agentAfter({ tools: [two] }).resume(JSON.parse(text), { [waiting(paused)[0] ?? '']: true })
    expect(ran).toEqual([{ a: 1, b: { c: 1, d: 2 } }])
  })

  it.each([
    ['the description', { description: 'Another tool.' }],
    ['the version', { version: '2' }],
  ])('F16 is asked anew when the tool changed in %s', async (_what, change) => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a'), { tools }).run('go')
    const id = waiting(paused)[0] ?? ''
    const changed = { tools: [ran.tool('a', { needsApproval: true, parallelSafe: true, ...change })] }
    const again = await agentAfter(changed).resume(stateOf(paused), { [id]: true })
    expect([waiting(again), ran.log]).toEqual([[id], []])
    await agentAfter(changed).resume(stateOf(again), { [id]: true })
    expect(ran.log).toEqual(['a 1'])
  })

  it('F16 is asked anew when the tool no longer wants it asked', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a'), { tools }).run('go')
    const id = waiting(paused)[0] ?? ''
    const tame = { tools: [ran.tool('a', { parallelSafe: true })] }
    const again = await agentAfter(tame).resume(stateOf(paused), { [id]: true })
    expect([waiting(again), ran.log]).toEqual([[id], []])
  })

  it('F16 is asked anew when another handler was registered under its name', async () => {
    const ran = new Ran()
    const options = { needsApproval: true }
    const toolRegistry = new ToolRegistry()
    toolRegistry.register(ran.tool('a', options))
    const paused = await agentFor(callsOf('a'), { toolRegistry }).run('go')
    const id = waiting(paused)[0] ?? ''
    const evil = vi.fn(() => 'gotcha')
    toolRegistry.register(ran.tool('a', { ...options, execute: evil }), { overwrite: true })
    const again = await agentAfter({ toolRegistry }).resume(stateOf(paused), { [id]: true })
    expect(waiting(again)).toEqual([id])
    expect([evil.mock.calls, ran.log]).toEqual([[], []])
    await agentAfter({ toolRegistry }).resume(stateOf(again), { [id]: true })
    expect(evil).toHaveBeenCalledOnce()
  })

  it('S21 a tool that is gone on resume ends the call', async () => {
    const { ran, tools } = kit()
    const paused = await agentFor(callsOf('a'), { tools }).run('go')
    const ended = await agentAfter({ tools: [ran.tool('c')] }).resume(stateOf(paused), {
      [waiting(paused)[0] ?? '']: true,
    })
    expect([ended.status, outcomes(ended), ran.log]).toEqual(['done', ['unknown'], []])
  })
})

describe('a call that stands behind an open question', () => {
  it('waits for its turn and runs in call order, though it was answered first', async () => {
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true }), ran.tool('b', { needsApproval: true })]
    const first = await agentFor(callsOf('a', 'b'), { tools }).run('go')
    const [a = '', b = ''] = waiting(first)
    const second = await agentAfter({ tools }).resume(stateOf(first), { [b]: true })
    expect([waiting(second), ran.log]).toEqual([[a], []])
    const third = await agentAfter({ tools }).resume(stateOf(second), { [a]: true, [b]: false })
    expect(third.alreadyAnswered).toEqual([b])
    expect([outcomes(third), ran.log]).toEqual([
      ['success', 'success'],
      ['a 1', 'b 2'],
    ])
  })

  it('waits for the one with the same key, and others do not', async () => {
    const ran = new Ran()
    const keyed = ran.tool('keyed', {
      parallelSafe: true,
      needsApproval: ({ n }) => n === 1,
      concurrencyKey: ({ n }) => String(n % 2),
    })
    const first = await agentFor(callsOf('keyed', 'keyed', 'keyed'), { tools: [keyed] }).run('go')
    expect([waiting(first).length, ran.log]).toEqual([1, ['keyed 2']])
    const again = await agentAfter({ tools: [keyed] }).resume(stateOf(first))
    expect([waiting(again).length, ran.log]).toEqual([1, ['keyed 2']])
    const ended = await agentAfter({ tools: [keyed] }).resume(stateOf(again), {
      [waiting(again)[0] ?? '']: true,
    })
    expect(outcomes(ended)).toEqual(['success', 'success', 'success'])
    expect(ran.log).toEqual(['keyed 2', 'keyed 1', 'keyed 3'])
  })

  it('is asked about anew when its tool changed after it was answered', async () => {
    const ran = new Ran()
    const gated = { needsApproval: true }
    const tools = [ran.tool('a', gated), ran.tool('b', gated)]
    const first = await agentFor(callsOf('a', 'b'), { tools }).run('go')
    const [a = '', b = ''] = waiting(first)
    const second = await agentAfter({ tools }).resume(stateOf(first), { [b]: true })
    const changed = [ran.tool('a', gated), ran.tool('b', { ...gated, version: '2' })]
    const third = await agentAfter({ tools: changed }).resume(stateOf(second), { [a]: true })
    expect([waiting(third), ran.log]).toEqual([[b], ['a 1']])
  })
})
