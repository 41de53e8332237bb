import { Agent, CallDeferred, type RunState, ToolResponse, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { external } from '../../../src/toolset/external.ts'
import { agentAfter, agentFor, callsOf, outcomes, overJson, Ran, stateOf, waiting } from './run-kit.ts'

const question = external([
  {
    name: 'ask_accounting',
    description: 'Ask the accounting department.',
    inputSchema: v.object({ question: v.string() }),
    parallelSafe: true,
  },
])
const asked = [ScriptedModel.toolCall('ask_accounting', { question: 'How much?' })]

const mail = (sent: unknown[]) =>
  tool({
    name: 'mail',
    description: 'Send a mail.',
    inputSchema: v.object({
      to: v.pipe(v.string(), v.includes('@')),
      text: v.string(),
      priority: v.optional(v.string(), 'normal'),
    }),
    userFields: ['to', 'priority'],
    execute: (input) => void sent.push(input),
  })
const mailing = [ScriptedModel.toolCall('mail', { text: 'hello' })]

async function paused(
  options: { tools: ConstructorParameters<typeof Agent>[0]['tools'] },
  turn = callsOf('a'),
) {
  const result = await agentFor(turn, options as never).run('go')
  return { state: stateOf(result), id: waiting(result)[0] ?? '', result }
}

describe('a call that is answered elsewhere', () => {
  it.each([
    [{ output: 'five' }, 'success', 'five'],
    [{ output: 0 }, 'success', '0'],
    [{ output: '' }, 'success', ''],
    [{ output: null }, 'success', '(no output)'],
    [{ output: undefined }, 'success', '(no output)'],
    [{ output: [] }, 'success', '[]'],
    [{ output: ToolResponse.partial('half') }, 'partial', 'half'],
    [{ error: 'nobody is in' }, 'error', 'nobody is in'],
  ])('P31 ends with what %j says', async (answer, outcome, text) => {
    const { state, id, result } = await paused({ tools: [question] }, asked)
    expect(result.pending).toMatchObject([{ kind: 'external', input: { question: 'How much?' } }])
    const ended = await agentAfter({ tools: [question] }).resume(state, { [id]: answer as never })
    expect(ended.steps[0]?.results).toMatchObject([{ outcome, response: { text } }])
  })

  it('waits on when a handler could only say yes or no', async () => {
    const { state, id } = await paused({ tools: [question] }, asked)
    const again = await agentAfter({ tools: [question], confirm: () => true }).resume(state)
    expect(waiting(again)).toEqual([id])
  })

  it('carries what the tool said about its answer, and does not start again', async () => {
    let starts = 0
    const order = tool({
      name: 'order',
      description: 'Order a thing.',
      execute: () => {
        starts += 1
        throw new CallDeferred({ ticket: 7 })
      },
    })
    const { state, id, result } = await paused({ tools: [order] }, [ScriptedModel.toolCall('order')])
    expect(overJson(result.pending)).toMatchObject([{ kind: 'external', metadata: { ticket: 7 } }])
    const ended = await agentAfter({ tools: [order] }).resume(state, { [id]: { output: { sent: true } } })
    expect([outcomes(ended), starts]).toEqual([['success'], 1])
    expect(ended.steps[0]?.results[0]?.response.data).toEqual({ sent: true })
  })

  it('S7 is not lost when a sibling fails', async () => {
    const ran = new Ran()
    const boom = ran.tool('boom', {
      parallelSafe: true,
      execute: () => {
        throw new Error('boom')
      },
    })
    const { state, id } = await paused({ tools: [question, boom] }, [
      ...asked,
      ScriptedModel.toolCall('boom', { n: 1 }),
    ])
    const ended = await agentAfter({ tools: [question, boom] }).resume(state, { [id]: { output: 1 } })
    expect(outcomes(ended)).toEqual(['success', 'error'])
  })
})

describe('a call whose fields a person fills in', () => {
  it('S25 runs with the model’s part, the fields and the defaults, and is no edit', async () => {
    const sent: unknown[] = []
    const { state, id, result } = await paused({ tools: [mail(sent)] }, mailing)
    expect(result.pending).toMatchObject([{ kind: 'fields', input: { text: 'hello' } }])
    expect(Object.keys(Object(result.pending[0]?.userFields?.properties))).toEqual(['to', 'priority'])
    const ended = await agentAfter({ tools: [mail(sent)] }).resume(state, { [id]: { fields: { to: 'a@b' } } })
    expect(sent).toEqual([{ text: 'hello', to: 'a@b', priority: 'normal' }])
    expect(ended.steps[0]?.results[0]?.response.text).not.toContain('changed')
  })

  it('S25 does not run without them, or with ones that do not fit: the question stays open', async () => {
    for (const answer of [true, { fields: {} }, { fields: { to: 'nowhere' } }]) {
      const sent: unknown[] = []
      const { state, id } = await paused({ tools: [mail(sent)] }, mailing)
      const still = await agentAfter({ tools: [mail(sent)] }).resume(state, { [id]: answer })
      expect([still.status, waiting(still), sent]).toEqual(['paused', [id], []])
      expect(still.pending[0]?.reasons.join()).toContain('"to"')
    }
  })

  it('are looked at by the tool itself while the person types, also after a reload', async () => {
    const { result } = await paused({ tools: [mail([])] }, mailing)
    const [pending] = overJson(result.pending)
    if (pending === undefined) throw new Error('nothing waits')
    const request = agentAfter({ tools: [mail([])] }).approvalRequest(pending)
    expect(await request.check({ text: 'hello', to: 'nowhere' })).toMatchObject([{ path: 'to' }])
    expect(await request.check({ text: 'hello', to: 'a@b' })).toEqual([])
    const elsewhere = await agentAfter({ tools: [] }).approvalRequest(pending).check({})
    expect(elsewhere[0]?.message).toContain('There is no tool named "mail"')
  })

  it('a question that nobody answered waits on', async () => {
    const sent: unknown[] = []
    const { state, id } = await paused({ tools: [mail(sent)] }, mailing)
    const unanswered = { approved: false, unanswered: 'timed out' }
    const still = await agentAfter({ tools: [mail(sent)] }).resume(state, { [id]: unanswered })
    expect([still.status, waiting(still), sent]).toEqual(['paused', [id], []])
  })

  it('F06 tells the model when the person changed its part, too', async () => {
    const sent: unknown[] = []
    const { state, id } = await paused({ tools: [mail(sent)] }, mailing)
    const ended = await agentAfter({ tools: [mail(sent)] }).resume(state, {
      [id]: { fields: { to: 'a@b', text: 'bye' } },
    })
    expect(sent).toEqual([{ text: 'bye', to: 'a@b', priority: 'normal' }])
    expect(ended.steps[0]?.results[0]?.response.text).toContain('changed')
  })

  it('S25 the model cannot fill them in', async () => {
    const sent: unknown[] = []
    const turn = [ScriptedModel.toolCall('mail', { text: 'hello', to: 'evil@x', priority: 'high' })]
    const { state, id, result } = await paused({ tools: [mail(sent)] }, turn)
    expect(result.pending[0]?.input).toEqual({ text: 'hello' })
    await agentAfter({ tools: [mail(sent)] }).resume(state, { [id]: { fields: { to: 'a@b' } } })
    expect(sent).toEqual([{ text: 'hello', to: 'a@b', priority: 'normal' }])
  })
})

describe('answers that do not fit', () => {
  it.each([
    ['a list', [true]],
    ['a yes for all', true],
    ['null', null],
    ['a map', new Map([['x', true]])],
  ])('are refused as a whole: %s', async (_what, answers) => {
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true })]
    const { state } = await paused({ tools })
    const resumed = agentAfter({ tools }).resume(state, answers as never)
    await expect(resumed).rejects.toMatchObject({ name: 'RunStateError', code: 'invalid' })
    expect(ran.log).toEqual([])
  })

  it.each([
    ['a number', 1],
    ['a text', 'yes'],
    ['nothing', undefined],
    ['no decision', {}],
    ['an approval that is no boolean', { approved: 'true' }],
    ['an output', { output: 1 }],
    ['fields where none are asked for', { fields: { n: 1 } }],
    ['an unknown key', { approved: true, remembr: 'always' }],
    ['an unknown time', { approved: true, remember: 'for ever' }],
    ['what is not JSON', { approved: true, input: { n: 1n } }],
    ['a function', { approved: true, input: { n: () => 1 } }],
  ])('are refused before anything runs: %s', async (_what, answer) => {
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true }), ran.tool('b', { needsApproval: true })]
    const { state, result } = await paused({ tools }, callsOf('a', 'b'))
    const [a = '', b = ''] = waiting(result)
    const resumed = agentAfter({ tools }).resume(state, { [a]: true, [b]: answer as never })
    await expect(resumed).rejects.toMatchObject({ name: 'RunStateError', code: 'invalid' })
    await expect(resumed).rejects.toThrow(b)
    expect(ran.log).toEqual([])
  })

  it.each([[true], [{ approved: true }], [{ fields: {} }], [{ result: 1 }]])(
    'are refused for a call that is answered elsewhere: %j',
    async (answer) => {
      const { state, id } = await paused({ tools: [question] }, asked)
      const resumed = agentAfter({ tools: [question] }).resume(state, { [id]: answer as never })
      await expect(resumed).rejects.toThrow(/\{ output: … \}/)
    },
  )

  it('F11 name the calls that do wait when the id is unknown', async () => {
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true })]
    const { state, id } = await paused({ tools })
    for (const wrong of ['call_x', '__proto__', 'constructor']) {
      const answers = JSON.parse(`{ "${wrong}": true, "${id}": true }`)
      const resumed = agentAfter({ tools }).resume(state, answers)
      await expect(resumed).rejects.toMatchObject({ code: 'unknown-call' })
      await expect(resumed).rejects.toThrow(`"${id}" (a)`)
    }
    expect(ran.log).toEqual([])
  })

  it('F01 F05 come too late for a call that is over, and change nothing', async () => {
    const ran = new Ran()
    const parallel = { needsApproval: true, parallelSafe: true }
    const tools = [ran.tool('a', parallel), ran.tool('b', parallel)]
    const { state, result } = await paused({ tools }, callsOf('a', 'b'))
    const [a = '', b = ''] = waiting(result)
    const denied = await agentAfter({ tools }).resume(state, { [a]: false })
    const ended = await agentAfter({ tools }).resume(stateOf(denied), { [a]: true, [b]: true })
    expect(ended.alreadyAnswered).toEqual([a])
    expect([outcomes(ended), ran.log]).toEqual([['denied', 'success'], ['b 2']])
  })

  it('a yes that nothing can remember is none: the question stays open', async () => {
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true })]
    const { state, id } = await paused({ tools })
    const ended = await agentAfter({ tools }).resume(state, { [id]: { approved: true, remember: 'always' } })
    expect([ended.status, waiting(ended), ran.log]).toEqual(['paused', [id], []])
  })

  it('a held answer is a copy: who gave it cannot change it later', async () => {
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true }), ran.tool('b', { needsApproval: true })]
    const { state, result } = await paused({ tools }, callsOf('a', 'b'))
    const [a = '', b = ''] = waiting(result)
    const input = { n: 5 }
    const held = await agentAfter({ tools }).resume(state, { [b]: { approved: true, input } })
    input.n = 66
    await agentAfter({ tools }).resume(held.state as RunState, { [a]: true })
    expect(ran.log).toEqual(['a 1', 'b 5'])
  })
})

describe('a state that cannot be resumed', () => {
  const start = async () => {
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true })]
    return { ran, tools, ...(await paused({ tools })) }
  }

  it.each([
    [0, /older release.*Start the run anew/s],
    [3, /newer release.*update this page/s],
  ])('is refused when its version is %j, and says what to do', async (version, text) => {
    const { state, id, tools, ran } = await start()
    const resumed = agentAfter({ tools }).resume({ ...state, version } as never, { [id]: true })
    await expect(resumed).rejects.toMatchObject({ name: 'RunStateError', code: 'version' })
    await expect(resumed).rejects.toThrow(text)
    expect(ran.log).toEqual([])
  })

  const call = (change: object) => (state: RunState) => ({
    open: { text: '', calls: state.open?.calls.map((saved) => ({ ...saved, ...change })) },
  })
  it.each<[string, (state: RunState) => object]>([
    ['a version that is text', () => ({ version: '1' })],
    ['no agent', () => ({ agent: undefined })],
    ['no revision', () => ({ revision: 'x' })],
    ['messages that are none', () => ({ messages: [null] })],
    ['no budget', () => ({ budget: {} })],
    ['a broken budget', () => ({ budget: { calls: 0, callsOf: [1], failures: [], closed: [] } })],
    ['no usage', () => ({ usage: {} })],
    ['a step that is none', () => ({ open: { text: '', calls: {} } })],
    ['a call without an id', call({ id: 1 })],
    ['a call without an input', call({ input: [] })],
    ['a call that is over without a result', call({ progress: 'over' })],
    ['a question of another call', call({ pending: { callId: 'other', input: {} } })],
    ['a yes that is only truthy', call({ answer: { approved: 'false' } })],
    [
      'two calls of one id',
      (state) => ({
        open: { text: '', calls: [...(state.open?.calls ?? []), ...(state.open?.calls ?? [])] },
      }),
    ],
  ])('is refused with %s', async (_what, change) => {
    const { state, id, tools, ran } = await start()
    const resumed = agentAfter({ tools }).resume({ ...state, ...change(state) } as never, { [id]: true })
    await expect(resumed).rejects.toMatchObject({ name: 'RunStateError', code: 'invalid' })
    await expect(resumed).rejects.toThrow(/pendingRuns/)
    expect(ran.log).toEqual([])
  })

  it.each([[undefined], [null], ['{}'], [[]], [7]])('is refused when it is %j', async (state) => {
    await expect(agentAfter({ tools: [] }).resume(state as never)).rejects.toMatchObject({ code: 'invalid' })
  })

  it('is refused by an agent of another name', async () => {
    const { state, id, tools, ran } = await start()
    const resumed = agentAfter({ tools, name: 'other' }).resume(state, { [id]: true })
    await expect(resumed).rejects.toMatchObject({ code: 'invalid' })
    await expect(resumed).rejects.toThrow(/of the agent "agent", not of "other"/)
    expect(ran.log).toEqual([])
  })

  it('D01 a run that is aborted on resume leaves a valid history and nothing that waits', async () => {
    const ran = new Ran()
    const page = new AbortController()
    const both = { needsApproval: true, parallelSafe: true }
    const tools = [
      ran.tool('a', { ...both, execute: () => new Promise(() => page.abort()) }),
      ran.tool('b', both),
    ]
    const { state, result } = await paused({ tools }, callsOf('a', 'b'))
    const running = agentAfter({ tools }).resume(
      state,
      { [waiting(result)[0] ?? '']: true },
      { signal: page.signal },
    )
    const error = await running.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'AbortError', result: { status: 'stopped', pending: [] } })
    const { messages } = (error as { result: { messages: readonly { role: string }[] } }).result
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(messages.at(-1)).toMatchObject({
      results: [
        { outcome: 'cancelled', text: expect.stringContaining('may have run') },
        { outcome: 'cancelled', text: expect.stringContaining('before it ran') },
      ],
    })
    const model = new ScriptedModel(['fine'])
    await new Agent({ model, tools }).run('go on', { messages: overJson(messages) as never })
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  })
})
