import {
  Agent,
  type AgentOptions,
  ApprovalRequired,
  type CallAnswer,
  CallDeferred,
  type ConfirmHandler,
  memoryRunStore,
  type RunResult,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it } from 'vitest'
import {
  agentAfter,
  agentFor,
  callsOf,
  dieAt,
  leftOver,
  type NumberToolOptions,
  outcomes,
  Ran,
  signal,
  stateOf,
  WatchedStore,
  waiting,
} from './run-kit.ts'

const never = () => new Promise<never>(() => {})

/** A tool that starts and never ends. */
function stuck(ran: Ran, name: string, options: NumberToolOptions = {}) {
  const { reached: started, reach } = signal()
  const made = ran.tool(name, {
    execute: ({ n }) => {
      ran.log.push(`${name} ${n}`)
      reach()
      return never()
    },
    ...options,
  })
  return { tool: made, started }
}

/** Goes on in another page with what a dead one left. */
async function goOn(
  store: WatchedStore,
  options: Omit<AgentOptions, 'model' | 'store'>,
  answer?: CallAnswer,
): Promise<{ readonly result: RunResult; readonly status: string; readonly asked: readonly string[] }> {
  const agent = agentAfter({ ...options, store })
  const { state, pending, status } = await leftOver(agent)
  const asked = waiting({ pending })
  const answers = answer === undefined ? {} : Object.fromEntries(asked.map((id) => [id, answer]))
  return { result: await agent.resume(state, answers), status, asked }
}

describe('a page that dies', () => {
  it('before the model answers leaves a run that asks the model again', async () => {
    const { reached, reach } = signal()
    const ran = new Ran()
    const tools = [ran.tool('a')]
    const silent = {
      name: 'silent',
      stream: () => {
        reach()
        return { [Symbol.asyncIterator]: () => ({ next: never }) }
      },
    }
    const left = await dieAt((store) => new Agent({ model: silent, tools, store }), reached)
    const { result, status } = await goOn(left, { tools })
    expect(status).toBe('interrupted')
    expect(result).toMatchObject({ status: 'done', messages: [{ role: 'user' }, { text: 'done' }] })
  })

  it('between two steps leaves a run whose calls do not run again', async () => {
    const { reached, reach } = signal()
    const ran = new Ran()
    const tools = [ran.tool('a')]
    const turns = [
      callsOf('a'),
      () => {
        reach()
        throw new Error('the page is gone')
      },
    ] as const
    const left = await dieAt((store) => new Agent({ model: new ScriptedModel(turns), tools, store }), reached)
    const { result } = await goOn(left, { tools })
    expect(result.status).toBe('done')
    expect(result.messages.filter(({ role }) => role === 'tool')).toHaveLength(1)
    expect(ran.log).toEqual(['a 1'])
  })

  it.each([
    ['asks', { needsApproval: true }],
    [
      'has run a tool that asks',
      {
        execute: () => {
          throw new ApprovalRequired('really?')
        },
      },
    ],
  ])('while it %s leaves the question, with nothing run', async (_when, options) => {
    const { reached, reach } = signal()
    const ran = new Ran()
    const tools = [ran.tool('a', options)]
    const confirm: ConfirmHandler = () => {
      reach()
      return never()
    }
    const left = await dieAt((store) => agentFor(callsOf('a'), { tools, confirm, store }), reached)
    const { result, asked } = await goOn(left, { tools: [ran.tool('a', options)] })
    expect(asked).toHaveLength(1)
    expect(waiting(result)).toEqual(asked)
    expect(ran.log).toEqual([])
  })

  it('while it asks leaves a question that a handler of the next page is asked again', async () => {
    const { reached, reach } = signal()
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true })]
    const confirm: ConfirmHandler = () => {
      reach()
      return never()
    }
    const left = await dieAt((store) => agentFor(callsOf('a'), { tools, confirm, store }), reached)
    const asked: string[] = []
    const { result } = await goOn(left, {
      tools,
      confirm: ({ callId }) => {
        asked.push(callId)
        return true
      },
    })
    expect([result.status, asked.length, ran.log]).toEqual(['done', 1, ['a 1']])
  })

  it('is saved with the question before anybody is asked', async () => {
    const ran = new Ran()
    const store = new WatchedStore()
    let saved: unknown
    const confirm: ConfirmHandler = () => {
      saved = store.saves.at(-1)?.state
      return true
    }
    await agentFor(callsOf('a'), { tools: [ran.tool('a', { needsApproval: true })], confirm, store }).run(
      'go',
    )
    expect(saved).toMatchObject({ open: { calls: [{ progress: 'waiting', pending: { toolName: 'a' } }] } })
  })

  it('while a call runs that changes something leaves it interrupted: it may have run, and does not again', async () => {
    const ran = new Ran()
    const { tool, started } = stuck(ran, 'write')
    const tools = [ran.tool('read', { parallelSafe: true, effect: 'none' }), tool]
    const left = await dieAt((store) => agentFor(callsOf('write', 'read'), { tools, store }), started)
    const { result } = await goOn(left, { tools })
    expect(outcomes(result)).toEqual(['interrupted', 'success'])
    expect(result.steps[0]?.results[0]?.response.text).toContain('may have run')
    expect(ran.log).toEqual(['write 1', 'read 2'])
  })

  it('while an approved call runs leaves no open question, and a second answer comes too late', async () => {
    const ran = new Ran()
    const gated = { needsApproval: true }
    const { tool, started } = stuck(ran, 'write', gated)
    const before = new WatchedStore()
    const paused = await agentFor(callsOf('write'), { tools: [tool], store: before }).run('go')
    const id = waiting(paused)[0] ?? ''
    const left = await dieAt(
      (store) => agentAfter({ tools: [tool], store }),
      started,
      (agent, page) => agent.resume(stateOf(paused), { [id]: true }, { signal: page }),
      before,
    )
    const agent = agentAfter({ tools: [ran.tool('write', gated)], store: left })
    const { state, pending } = await leftOver(agent)
    expect(pending).toEqual([])
    const result = await agent.resume(state, { [id]: true })
    expect(result).toMatchObject({ status: 'done', alreadyAnswered: [id] })
    expect([outcomes(result), ran.log]).toEqual([['interrupted'], ['write 1']])
  })

  it('while a call runs that changes nothing leaves it to run again', async () => {
    const ran = new Ran()
    const { tool, started } = stuck(ran, 'read', { effect: 'none' })
    const gated = ran.tool('gated', { needsApproval: true, parallelSafe: true })
    const left = await dieAt(
      (store) => agentFor(callsOf('read', 'gated'), { tools: [gated, tool], store }),
      started,
    )
    const tools = [gated, ran.tool('read', { effect: 'none' })]
    const { result } = await goOn(left, { tools }, true)
    expect(outcomes(result)).toEqual(['success', 'success'])
    expect(ran.log.filter((line) => line === 'read 1')).toHaveLength(2)
  })

  it('after a call is over leaves its result, and it does not run again', async () => {
    const ran = new Ran()
    const { tool, started } = stuck(ran, 'second')
    const tools = [ran.tool('first'), tool]
    const left = await dieAt((store) => agentFor(callsOf('first', 'second'), { tools, store }), started)
    const { result } = await goOn(left, { tools })
    expect(outcomes(result)).toEqual(['success', 'interrupted'])
    expect(ran.log).toEqual(['first 1', 'second 2'])
  })

  it.each([
    ['F05 after a denial', false, 'denied', []],
    ['F03 after an answered call that changes nothing is over', true, 'success', ['a 1']],
  ])('%s leaves it answered while the other question is open', async (_when, answer, outcome, log) => {
    const ran = new Ran()
    const options = { needsApproval: true, parallelSafe: true, effect: 'none' } as const
    const tools = [ran.tool('a', options), ran.tool('b', options)]
    const { reached, reach } = signal()
    const confirm: ConfirmHandler = ({ toolName }) => (toolName === 'a' ? answer : never())
    const page = new WatchedStore()
    const make = () =>
      new Agent({
        model: new ScriptedModel([callsOf('a', 'b')]),
        tools,
        confirm,
        store: page,
        middleware: [{ after: () => void setTimeout(reach, 20) }],
      })
    const left = await dieAt(make, reached, undefined, page)
    const agent = agentAfter({ tools, store: left })
    const { state, pending } = await leftOver(agent)
    expect(pending).toMatchObject([{ toolName: 'b' }])
    const [a = ''] = state.open?.calls.map(({ id }) => id) ?? []
    const result = await agent.resume(state, { [a]: !answer, [waiting({ pending })[0] ?? '']: false })
    expect(result.alreadyAnswered).toEqual([a])
    expect([outcomes(result), ran.log]).toEqual([[outcome, 'denied'], log])
  })

  it('after a yes and before the start leaves the question', async () => {
    const ran = new Ran()
    const gated = { needsApproval: true }
    const { tool, started } = stuck(ran, 'slow')
    const tools = [tool, ran.tool('a', gated)]
    // The yes is there at once, and the call waits for the one before it.
    const left = await dieAt(
      (store) => agentFor(callsOf('slow', 'a'), { tools, confirm: () => true, store }),
      started,
    )
    const { result, asked } = await goOn(left, { tools: [ran.tool('slow'), ran.tool('a', gated)] })
    expect(asked).toHaveLength(1)
    expect([waiting(result), ran.log]).toEqual([asked, ['slow 1']])
  })

  it('with a call open that is answered elsewhere leaves that under its id, also when it changes nothing', async () => {
    const ran = new Ran()
    const nothing = { effect: 'none', parallelSafe: true } as const
    const { tool, started } = stuck(ran, 'slow', nothing)
    const ids: string[] = []
    const later = ran.tool('later', {
      ...nothing,
      execute: (_input, { callId }) => {
        ids.push(callId)
        throw new CallDeferred()
      },
    })
    const tools = [later, tool]
    const left = await dieAt(
      (store) => agentFor(callsOf('later', 'slow'), { tools, store }),
      started.then(() => new Promise((resolve) => setTimeout(resolve, 200))),
    )
    const { result, asked } = await goOn(left, { tools: [later, ran.tool('slow', nothing)] }, { output: 1 })
    expect([asked, outcomes(result)]).toEqual([ids, ['success', 'success']])
  })

  it('with a deferred call open leaves that to be answered', async () => {
    const ran = new Ran()
    const { tool, started } = stuck(ran, 'slow', { parallelSafe: true })
    const later = ran.tool('later', {
      parallelSafe: true,
      execute: () => {
        throw new CallDeferred({ ticket: 7 })
      },
    })
    const options = { tools: [later, tool] }
    const left = await dieAt(
      (store) => agentFor(callsOf('later', 'slow'), { ...options, store }),
      started.then(() => new Promise((resolve) => setTimeout(resolve, 20))),
    )
    const { result } = await goOn(left, options, { output: 'sold' })
    expect(outcomes(result)).toEqual(['success', 'interrupted'])
    expect(result.steps[0]?.results[0]?.response.text).toBe('sold')
  })
})

describe('a yes that was given to another question', () => {
  /** Two calls, the second answered and held behind the first; then its tool is replaced. */
  async function heldYes(store: WatchedStore) {
    const ran = new Ran()
    const gated = { needsApproval: true }
    const before = [ran.tool('a', gated), ran.tool('b', gated)]
    const first = await agentFor(callsOf('a', 'b'), { tools: before, store }).run('go')
    const [a = '', b = ''] = waiting(first)
    const second = await agentAfter({ tools: before, store }).resume(stateOf(first), { [b]: true })
    return { ran, gated, a, b, state: stateOf(second), replaced: ran.tool('b', { ...gated, version: '2' }) }
  }

  it('F16 does not come back when the page dies while the new question is asked', async () => {
    const { reached, reach } = signal()
    const page = new WatchedStore()
    const { ran, gated, a, b, state, replaced } = await heldYes(page)
    const confirm: ConfirmHandler = ({ toolName }) => {
      if (toolName === 'a') return true
      reach()
      return never()
    }
    const tools = [ran.tool('a', gated), replaced]
    const left = await dieAt(
      (store) => agentAfter({ tools, confirm, store }),
      reached,
      (agent, page) => agent.resume(state, { [a]: true }, { signal: page }),
      page,
    )
    const { result, asked } = await goOn(left, { tools })
    expect(asked).toContain(b)
    expect(waiting(result)).toEqual(asked)
    expect(ran.log.filter((line) => line === 'b 2')).toEqual([])
  })

  it('F16 does not come back when the page dies while the call before it runs', async () => {
    const page = new WatchedStore()
    const { ran, gated, a, b, state, replaced } = await heldYes(page)
    const { tool, started } = stuck(ran, 'a', gated)
    const left = await dieAt(
      (store) => agentAfter({ tools: [tool, replaced], store }),
      started,
      (agent, page) => agent.resume(state, { [a]: true }, { signal: page }),
      page,
    )
    const { result, asked } = await goOn(left, { tools: [ran.tool('a', gated), replaced] })
    expect([asked, waiting(result), ran.log]).toEqual([[b], [b], ['a 1']])
  })
})

describe('a run in a store', () => {
  it('F01 F03 is over once: the same answer in another tab is stale or comes after the end', async () => {
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true })]
    const store = memoryRunStore()
    const paused = await agentFor(callsOf('a'), { tools, store }).run('go')
    const answers = { [waiting(paused)[0] ?? '']: true }
    await agentAfter({ tools, store }).resume(stateOf(paused), answers)
    for (const answer of [answers, { ...answers, [waiting(paused)[0] ?? '']: false }]) {
      await expect(agentAfter({ tools, store }).resume(stateOf(paused), answer)).rejects.toMatchObject({
        name: 'RunStateError',
        code: 'finished',
      })
    }
    expect(await agentAfter({ tools, store }).pendingRuns()).toEqual([])
    expect(ran.log).toEqual(['a 1'])
  })

  it('F01 of two tabs that answer at once one runs it, the other is told that it is in use', async () => {
    const ran = new Ran()
    const { reached, reach } = signal()
    const tools = [ran.tool('a', { needsApproval: true, execute: () => reached })]
    const store = memoryRunStore()
    const paused = await agentFor(callsOf('a'), { tools, store }).run('go')
    const answers = { [waiting(paused)[0] ?? '']: true }
    const one = agentAfter({ tools, store }).resume(stateOf(paused), answers)
    const other = agentAfter({ tools, store }).resume(stateOf(paused), answers)
    await expect(other).rejects.toMatchObject({ code: 'in-use' })
    expect(await agentAfter({ tools, store }).pendingRuns()).toEqual([])
    reach()
    expect((await one).status).toBe('done')
  })

  it('F01 refuses a state that another tab has gone on from, and says where the new one is', async () => {
    const ran = new Ran()
    const gated = { needsApproval: true }
    const tools = [ran.tool('a', gated), ran.tool('b', gated)]
    const store = memoryRunStore()
    const first = await agentFor(callsOf('a', 'b'), { tools, store }).run('go')
    const [a = '', b = ''] = waiting(first)
    await agentAfter({ tools, store }).resume(stateOf(first), { [a]: true })
    const late = agentAfter({ tools, store }).resume(stateOf(first), { [b]: true })
    await expect(late).rejects.toMatchObject({ code: 'stale' })
    await expect(late).rejects.toThrow(/pendingRuns/)
    expect(ran.log).toEqual(['a 1'])
  })

  it('that was aborted is over: its state cannot be resumed', async () => {
    const ran = new Ran()
    const { tool, started } = stuck(ran, 'a')
    const store = new WatchedStore()
    const page = new AbortController()
    const running = agentFor(callsOf('a'), { tools: [tool], store }).run('go', { signal: page.signal })
    await started
    const { state } = store.saves.at(-1) ?? {}
    page.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    const late = agentAfter({ tools: [tool], store }).resume(state as never)
    await expect(late).rejects.toMatchObject({ code: 'finished' })
    expect(ran.log).toEqual(['a 1'])
  })

  it('can be resumed at once, from within its last event', async () => {
    const ran = new Ran()
    const tools = [ran.tool('a', { needsApproval: true })]
    const store = memoryRunStore()
    const results: unknown[] = []
    for await (const event of agentFor(callsOf('a'), { tools, store }).stream('go')) {
      if (event.type !== 'paused') continue
      const answers = { [waiting(event.result)[0] ?? '']: true }
      results.push(await agentAfter({ tools, store }).resume(stateOf(event.result), answers))
    }
    expect(results).toMatchObject([{ status: 'done' }])
  })

  it('whose start cannot be written down does not run the call', async () => {
    const ran = new Ran()
    const store = new WatchedStore()
    const save = store.save.bind(store)
    let full = false
    store.save = (run, revision) => (full ? Promise.reject(new Error('no room')) : save(run, revision))
    const tools = [
      ran.tool('a', {
        check: () => {
          full = true
        },
      }),
    ]
    const agent = agentFor(callsOf('a'), { tools, store })
    await expect(agent.run('go')).rejects.toThrow(/no room/)
    expect(ran.log).toEqual([])
  })

  it('whose result cannot be written down still waits for all other calls', async () => {
    const ran = new Ran()
    const store = new WatchedStore()
    const save = store.save.bind(store)
    let full = false
    store.save = (run, revision) => (full ? Promise.reject(new Error('no room')) : save(run, revision))
    const both = { parallelSafe: true }
    const tools = [
      ran.tool('quick', {
        ...both,
        execute: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          full = true
        },
      }),
      ran.tool('slow', {
        ...both,
        execute: async () => {
          await new Promise((resolve) => setTimeout(resolve, 60))
          ran.log.push('slow ended')
        },
      }),
    ]
    await expect(agentFor(callsOf('quick', 'slow'), { tools, store }).run('go')).rejects.toThrow(/no room/)
    expect(ran.log).toEqual(['slow ended'])
  })
})
