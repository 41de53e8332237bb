import { Agent, AgentSession, memoryRunStore, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, test, vi } from 'vitest'
import { calls, expectValidHistory } from './agent-kit.ts'
import { callsOf, Ran, signal } from './run-kit.ts'
import { follow, HandedModel, lines, until } from './session-kit.ts'

/** Two tools that are asked about, one that is free. */
function gated() {
  const ran = new Ran()
  const asks = { needsApproval: true, parallelSafe: true }
  return { ran, tools: [ran.tool('a', asks), ran.tool('b', asks), ran.tool('free', { parallelSafe: true })] }
}

function ids({ pending }: { readonly pending: readonly { readonly callId: string }[] }): string[] {
  return pending.map(({ callId }) => callId)
}

describe('a conversation', () => {
  test('is what the agent made of it, and goes on with the next message', async () => {
    const model = new ScriptedModel([callsOf('free'), 'first answer', 'second answer'])
    const { session } = follow(new Agent({ model, tools: gated().tools }))
    const one = await session.send('one')
    expect(one).toMatchObject({ status: 'idle', activity: [], pending: [], result: { status: 'done' } })
    expect(one.messages).toEqual(one.result?.messages)
    const two = await session.send('two')
    expect(lines(two)).toEqual([
      ...['user: one', 'assistant: ', 'tool: free ran with 1', 'assistant: first answer'],
      ...['user: two', 'assistant: second answer'],
    ])
    expect(model.requests[2]?.messages).toHaveLength(5)
    expectValidHistory(two.messages)
  })

  test('shows text, reasoning and a call as they are written', async () => {
    const model = new HandedModel()
    const { session } = follow(new Agent({ model, tools: gated().tools }))
    const sent = session.send('go')
    expect(session.getSnapshot()).toMatchObject({ status: 'running', activity: [] })
    await vi.waitFor(() => expect(model.requests).toHaveLength(1))
    model.say({ type: 'text-delta', text: 'Let me ' }, { type: 'text-delta', text: 'see.' })
    const writing = await until(session, ({ messages }) => messages.at(-1)?.role === 'assistant')
    expect(writing.messages.at(-1)).toMatchObject({
      role: 'assistant',
      text: expect.stringMatching(/^Let me/),
    })
    model.say({ type: 'finish', reason: 'stop' })
    expect(lines(await sent)).toEqual(['user: go', 'assistant: Let me see.'])
  })

  test('starts from messages that the app kept, in a copy', async () => {
    const kept = [
      { role: 'user' as const, text: 'before' },
      { role: 'assistant' as const, text: 'yes?' },
    ]
    const model = new ScriptedModel(['after'])
    const { session } = follow(new Agent({ model }), { messages: kept })
    kept.pop()
    expect(lines(await session.send('now'))).toEqual([
      ...['user: before', 'assistant: yes?', 'user: now', 'assistant: after'],
    ])
  })

  test.each([
    ['no agent', { agent: undefined }, /there is no agent/],
    ['an unknown option', { agent: new Agent({ model: new ScriptedModel([]) }), message: [] }, /messages/],
    [
      'messages that are no list',
      { agent: new Agent({ model: new ScriptedModel([]) }), messages: {} },
      /list/,
    ],
  ])('refuses %s', (_what, options, message) => {
    expect(() => new AgentSession(options as never)).toThrow(message)
  })
})

describe('a listener', () => {
  test('is told the value at once, and a thousand pieces of text are few tellings', async () => {
    const words = Array.from({ length: 1_000 }, (_, index) => `${index} `).join('')
    const { session, told } = follow(new Agent({ model: new ScriptedModel([words]) }))
    expect(told).toEqual([{ status: 'idle', messages: [], activity: [], pending: [] }])
    const start = performance.now()
    const ended = await session.send('go')
    await until(session, ({ status }) => status === 'idle')
    expect(ended.result?.finalOutput).toBe(words)
    // One in a frame, and those that are told at once.
    expect(told.length).toBeLessThan(10 + (performance.now() - start) / 16)
    expect(told.at(-1)).toBe(session.getSnapshot())
  })

  test('L11 is told nothing after it has left, and the snapshot is the same object while nothing changes', async () => {
    const { session, told, unsubscribe } = follow(new Agent({ model: new ScriptedModel(['hi']) }))
    expect(session.getSnapshot()).toBe(session.getSnapshot())
    const sent = session.send('go')
    unsubscribe()
    const ended = await sent
    expect(told).toHaveLength(1)
    expect(session.getSnapshot()).toBe(ended)
    expect(session.getServerSnapshot()).toBe(told[0])
  })

  test('that throws costs nobody else the news, nor the run its end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const { session } = follow(new Agent({ model: new ScriptedModel(['hi']) }))
      let isFirst = true
      session.subscribe(() => {
        if (!isFirst) throw new Error('of the app')
        isFirst = false
      })
      const told: string[] = []
      session.subscribe(({ status }) => told.push(status))
      expect(await session.send('go')).toMatchObject({ status: 'idle' })
      expect(told).toContain('running')
      expect(() => vi.runAllTimers()).toThrow('of the app')
    } finally {
      vi.useRealTimers()
    }
  })

  test('what did not change between two snapshots is the same object', async () => {
    const { session, told } = follow(
      new Agent({ model: new ScriptedModel([callsOf('free'), 'one', 'two']), tools: gated().tools }),
    )
    const one = await session.send('one')
    const two = await session.send('two')
    expect(two.messages.slice(0, 4)).toEqual(one.messages)
    for (const [index, message] of one.messages.entries()) expect(two.messages[index]).toBe(message)
    expect(new Set(told.map(({ pending }) => pending)).size).toBe(1)
  })
})

describe('activity', () => {
  test('tells of each running call its input, lane, progress and start', async () => {
    const started = signal()
    const finish = signal()
    const slow = tool({
      name: 'slow',
      description: 'Slow.',
      execute: async (_input, { progress }) => {
        progress({ done: 1 })
        started.reach()
        await finish.reached
        return 'done'
      },
    })
    const { session } = follow(new Agent({ model: new ScriptedModel([calls('slow'), 'ok']), tools: [slow] }))
    const sent = session.send('go')
    await started.reached
    const { activity, messages } = await until(session, (one) => one.activity[0]?.progress !== undefined)
    const call = messages[1]?.role === 'assistant' ? messages[1].calls?.[0] : undefined
    expect(activity).toEqual([
      {
        ...{ callId: call?.id, name: 'slow', input: {}, phase: 'running', progress: { done: 1 } },
        startedAt: expect.closeTo(Date.now(), -4),
      },
    ])
    finish.reach()
    expect(await sent).toMatchObject({ activity: [], status: 'idle' })
  })
})

describe('a paused run', () => {
  test('F13 is answered bit by bit, and each call runs once', async () => {
    const { ran, tools } = gated()
    const model = new ScriptedModel([callsOf('a', 'b', 'free'), 'done'])
    const { session } = follow(new Agent({ model, tools, confirm: 'pause' }))
    const paused = await session.send('go')
    expect(paused).toMatchObject({ status: 'paused', activity: [] })
    expect(paused.pending).toMatchObject([
      { toolName: 'a', kind: 'approval', input: { n: 1 } },
      { toolName: 'b', kind: 'approval', input: { n: 2 } },
    ])
    // What has no result yet shows none.
    expect(lines(paused)).toEqual(['user: go', 'assistant: ', 'tool: free ran with 3'])
    const [a = '', b = ''] = ids(paused)
    expect(ids(await session.answer(a, true))).toEqual([b])
    expect(model.requests).toHaveLength(1)
    const ended = await session.answer(b, true)
    expect(lines(ended)).toEqual([
      ...[
        'user: go',
        'assistant: ',
        'tool: a ran with 1 | b ran with 2 | free ran with 3',
        'assistant: done',
      ],
    ])
    expect(ran.log).toEqual(['free 3', 'a 1', 'b 2'])
  })

  test('answers that are given in one go, or while the run goes on, are all taken', async () => {
    const { ran, tools } = gated()
    const model = new ScriptedModel([callsOf('a', 'b', 'a'), 'done'])
    const { session } = follow(new Agent({ model, tools, confirm: 'pause' }))
    const [first, second, third] = (await session.send('go')).pending
    first?.answer(true)
    second?.answer({ approved: false, reason: 'not now' })
    expect(session.getSnapshot()).toMatchObject({ status: 'running', pending: [{ callId: third?.callId }] })
    await until(session, () => ran.log.length > 0)
    third?.answer(true)
    const ended = await until(session, ({ status }) => status === 'idle')
    expect(lines(ended)[2]).toMatch(/^tool: a ran with 1 \| .*not now.* \| a ran with 3$/)
    expect(ran.log).toEqual(['a 1', 'a 3'])
  })

  test('the first answer counts, and an id that was never asked about is refused at once', async () => {
    const { ran, tools } = gated()
    const { session } = follow(
      new Agent({ model: new ScriptedModel([callsOf('a'), 'done']), tools, confirm: 'pause' }),
    )
    const [question] = (await session.send('go')).pending
    expect(() => session.answer('call_none', true)).toThrow(/No call|no call/)
    question?.answer(false)
    question?.answer(true)
    await until(session, ({ status }) => status === 'idle')
    await session.answer(question?.callId ?? '', true)
    expect(ran.log).toEqual([])
  })

  test('an answer that does not fit leaves the question open and says why', async () => {
    const { ran, tools } = gated()
    const { session } = follow(
      new Agent({ model: new ScriptedModel([callsOf('a'), 'done']), tools, confirm: 'pause' }),
    )
    const [id = ''] = ids(await session.send('go'))
    const open = await session.answer(id, 'yes' as never)
    expect(open).toMatchObject({ status: 'paused', pending: [{ callId: id }], error: { code: 'invalid' } })
    expect(await session.answer(id, true)).toMatchObject({ status: 'idle', pending: [] })
    expect(ran.log).toEqual(['a 1'])
  })

  test('F11 writing on leaves its calls undone as not answered', async () => {
    const { ran, tools } = gated()
    const model = new ScriptedModel([callsOf('a', 'free'), 'well then'])
    const { session } = follow(new Agent({ model, tools, confirm: 'pause' }))
    const [question] = (await session.send('go')).pending
    const ended = await session.send('never mind')
    expect(lines(ended)).toEqual([
      ...['user: go', 'assistant: ', expect.stringMatching(/^tool: .*did not answer.* \| free ran with 2$/)],
      ...['user: never mind', 'assistant: well then'],
    ])
    expectValidHistory(ended.messages)
    question?.answer(true)
    await session.answer(question?.callId ?? '', true)
    expect(ran.log).toEqual(['free 2'])
  })

  test('stop leaves it: the conversation is valid, and nothing of it runs', async () => {
    const { ran, tools } = gated()
    const { session } = follow(
      new Agent({ model: new ScriptedModel([callsOf('a'), 'next']), tools, confirm: 'pause' }),
    )
    await session.send('go')
    const left = await session.stop()
    expect(left).toMatchObject({ status: 'idle', pending: [] })
    expectValidHistory(left.messages)
    expect(lines(await session.send('more')).at(-1)).toBe('assistant: next')
    expect(ran.log).toEqual([])
  })
})

describe('stop', () => {
  test('ends the run with a valid history, and what is said right after it waits for that', async () => {
    const started = signal()
    const hangs = tool({
      name: 'hangs',
      description: 'Never ends.',
      execute: (_input, { signal: own }) => {
        started.reach()
        return new Promise((_resolve, reject) => own.addEventListener('abort', () => reject(own.reason)))
      },
    })
    const { session } = follow(
      new Agent({ model: new ScriptedModel([calls('hangs'), 'next']), tools: [hangs] }),
    )
    const first = session.send('go')
    await started.reached
    expect(() => session.send('too early')).toThrow(/stop\(\)/)
    void session.stop()
    const second = session.send('again')
    expect(await first).toMatchObject({ status: expect.stringMatching(/idle|running/) })
    const ended = await second
    expectValidHistory(ended.messages)
    expect(ended).toMatchObject({ status: 'idle', result: { status: 'done' } })
    expect(lines(ended)).toEqual([
      ...['user: go', 'assistant: ', expect.stringMatching(/^tool: hangs was cancelled/)],
      ...['user: again', 'assistant: next'],
    ])
  })

  test.each([0, 1, 2, 3, 5, 8, 13, 21])(
    'after %i turns of the event loop leaves a valid history',
    async (turns) => {
      const { tools } = gated()
      const model = new ScriptedModel([callsOf('free', 'a'), callsOf('free'), 'done'])
      const { session } = follow(new Agent({ model, tools, confirm: 'pause' }))
      const sent = session.send('go')
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      const stopped = await session.stop()
      await sent
      expect(stopped).toMatchObject({ status: 'idle', activity: [], pending: [] })
      expectValidHistory(stopped.messages)
      expect(lines(stopped)[0]).toBe('user: go')
    },
  )

  test('the signal of a message stops its run', async () => {
    const model = new HandedModel()
    const { session } = follow(new Agent({ model }))
    const controller = new AbortController()
    const sent = session.send('go', { signal: controller.signal })
    await vi.waitFor(() => expect(model.requests).toHaveLength(1))
    controller.abort()
    expect(await sent).toMatchObject({ status: 'idle', result: { status: 'stopped' } })
  })
})

describe('a run that fails', () => {
  test('is an error in the snapshot and no rejection, and the conversation goes on', async () => {
    let isDown = true
    const model = new ScriptedModel([
      () => {
        if (isDown) throw new Error('the network is down')
        return 'never'
      },
      'back again',
    ])
    const { session } = follow(new Agent({ model }))
    const failed = await session.send('go')
    expect(failed).toMatchObject({ status: 'failed', error: { name: 'RunError' } })
    expect(lines(failed)[0]).toBe('user: go')
    isDown = false
    const ended = await session.send('go on')
    expect(ended.error).toBeUndefined()
    expect(lines(ended).at(-1)).toBe('assistant: back again')
  })

  test('goes on where it stood when the agent has a store', async () => {
    const { ran, tools } = gated()
    const store = memoryRunStore()
    const model = new ScriptedModel([
      callsOf('free'),
      () => {
        throw new Error('down')
      },
      'done',
    ])
    const { session } = follow(new Agent({ model, tools, store }))
    expect(await session.send('go')).toMatchObject({ status: 'failed' })
    const ended = await session.resume()
    expect(lines(ended)).toEqual(['user: go', 'assistant: ', 'tool: free ran with 1', 'assistant: done'])
    expect(ran.log).toEqual(['free 1'])
    expect(() => session.resume()).toThrow(/no run to go on with/)
  })
})
