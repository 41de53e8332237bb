import '../../support/valid-histories.ts'
import {
  Agent,
  type AgentEvent,
  type Message,
  type ModelAdapter,
  RunError,
  ToolRegistry,
  tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'

const add = tool({
  name: 'add',
  description: 'Add.',
  inputSchema: v.object({ a: v.number(), b: v.number() }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ a, b }) => a + b,
})
const { toolCall } = ScriptedModel

async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** Every call has one result, in call order, right after its message. */
function expectValidHistory(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant' && message.calls !== undefined) {
      const next = messages[index + 1]
      expect(next?.role).toBe('tool')
      expect(next?.role === 'tool' && next.results.map((result) => result.callId)).toEqual(
        message.calls.map((call) => call.id),
      )
    }
    if (message.role === 'tool') expect(messages[index - 1]).toHaveProperty('calls')
  }
}

describe('a run', () => {
  it('calls tools until the model answers', async () => {
    const model = new ScriptedModel([
      [toolCall('add', { a: 1, b: 2 }), toolCall('add', { a: 3, b: 4 })],
      'It is 3 and 7.',
    ])
    const result = await new Agent({ model, tools: [add] }).run('What is 1+2 and 3+4?')
    model.assertComplete()
    expect(result).toMatchObject({ status: 'done', finishReason: 'answer', finalOutput: 'It is 3 and 7.' })
    expect(result.steps).toHaveLength(2)
    expectValidHistory(result.messages)
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      results: [{ text: '3' }, { text: '7' }],
    })
    expect(model.requests[0]?.tools.map((definition) => definition.name)).toEqual(['add'])
  })

  it('without tools is plain question and answer', async () => {
    const model = new ScriptedModel(['Hello.'])
    const result = await new Agent({ model, instructions: 'Be brief.' }).run('Hi')
    expect(result.finalOutput).toBe('Hello.')
    expect(model.requests[0]).toMatchObject({
      instructions: 'Be brief.',
      tools: [],
      messages: [{ role: 'user', text: 'Hi' }],
    })
  })

  it('continues a conversation from the messages of an earlier one, also after JSON', async () => {
    const first = await new Agent({
      model: new ScriptedModel([toolCall('add', { a: 1, b: 1 }), 'Two.']),
      tools: [add],
    }).run('1+1?')
    const model = new ScriptedModel(['Still two.'])
    const messages = JSON.parse(JSON.stringify(first.messages)) as Message[]
    const second = await new Agent({ model, tools: [add] }).run('Sure?', { messages })
    expect(second.messages.slice(0, 4)).toEqual(first.messages)
    expect(second.messages).toHaveLength(6)
  })

  it('streams the same run as events, with stable ids, ending with done', async () => {
    const model = new ScriptedModel([toolCall('add', { a: 1, b: 2 }), 'It is 3.'])
    const events = await collect(new Agent({ model, tools: [add] }).stream('1+2?'))
    expect(events.map((event) => event.type)).toEqual([
      'run-start',
      'step-start',
      'call',
      'call-started',
      'result',
      'step-end',
      'step-start',
      'text-delta',
      'text-delta',
      'text-delta',
      'step-end',
      'done',
    ])
    expect(new Set(events.map((event) => event.runId)).size).toBe(1)
    expect(
      events
        .filter((event) => event.type === 'text-delta')
        .map((event) => event.text)
        .join(''),
    ).toBe('It is 3.')
  })

  it('gives tools the deps of the run, else those of the agent', async () => {
    const seen: unknown[] = []
    const spy = tool({
      name: 'spy',
      description: 'Looks.',
      execute: (_input, { deps, runId, step }) => void seen.push([deps, runId !== undefined, step]),
    })
    const script = () => new ScriptedModel([toolCall('spy'), 'ok'])
    await new Agent({ model: script(), tools: [spy], deps: 'agent' }).run('go')
    await new Agent({ model: script(), tools: [spy], deps: 'agent' }).run('go', { deps: 'run' })
    expect(seen).toEqual([
      ['agent', true, 1],
      ['run', true, 1],
    ])
  })

  it('follows a registry as it changes', async () => {
    const toolRegistry = new ToolRegistry()
    const model = new ScriptedModel([
      () => {
        toolRegistry.register(add)
        return toolCall('add', { a: 1, b: 1 })
      },
      toolCall('add', { a: 1, b: 1 }),
      'ok',
    ])
    const { steps } = await new Agent({ model, toolRegistry }).run('go')
    // What the model was not offered it cannot call: the new tool is there with the next step.
    expect(steps.map(({ results }) => results[0]?.outcome)).toEqual(['unknown', 'success', undefined])
    expect(model.requests.map((request) => request.tools.length)).toEqual([0, 1, 1])
  })

  it('does not show the model what the permissions refuse', async () => {
    const model = new ScriptedModel([toolCall('add', { a: 1, b: 1 }), 'ok'])
    const agent = new Agent({ model, tools: [add], permissions: { deny: ['add'] } })
    const { steps } = await agent.run('go')
    expect(model.requests[0]?.tools).toEqual([])
    expect(steps[0]?.results[0]?.outcome).toBe('not-allowed')
  })

  it('keeps what the model wrote in the history, not what middleware put in', async () => {
    const model = new ScriptedModel([toolCall('add', { a: 1, b: 1 }), 'ok'])
    const agent = new Agent({
      model,
      tools: [add],
      middleware: [{ before: () => ({ input: { a: 40, b: 2 } }) }],
    })
    const { messages } = await agent.run('go')
    expect(messages[1]).toMatchObject({ calls: [{ input: { a: 1, b: 1 } }] })
    expect(messages[2]).toMatchObject({ results: [{ text: '42' }] })
  })
})

describe('limits', () => {
  const again = (times: number) => Array.from({ length: times }, () => toolCall('add', { a: 1, b: 1 }))

  it('end the run after maxSteps with one last request without tools', async () => {
    const model = new ScriptedModel([...again(2), 'Enough.'])
    const result = await new Agent({ model, tools: [add], limits: { maxSteps: 2 } }).run('go')
    model.assertComplete()
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'max-steps', finalOutput: 'Enough.' })
    expect(model.requests.at(-1)?.tools).toEqual([])
    expectValidHistory(result.messages)
  })

  it('end it after maxToolCalls, and calls beyond that get a limit result', async () => {
    const model = new ScriptedModel([again(1), again(3), 'Enough.'])
    const result = await new Agent({ model, tools: [add], limits: { maxToolCalls: 2 } }).run('go')
    model.assertComplete()
    expect(result.finishReason).toBe('tool-limit')
    expect(result.steps[1]?.results.map((each) => each.outcome)).toEqual(['success', 'limit', 'limit'])
    expectValidHistory(result.messages)
  })

  it('do not count calls that never got ready to run', async () => {
    const model = new ScriptedModel([[toolCall('nope'), toolCall('add', {})], again(1), 'ok'])
    const result = await new Agent({ model, tools: [add], limits: { maxToolCalls: 2 } }).run('go')
    expect(result.finishReason).toBe('answer')
  })

  it('let the run go on when one step asks for too many calls', async () => {
    const model = new ScriptedModel([again(3), 'ok'])
    const result = await new Agent({ model, tools: [add], limits: { maxCallsPerStep: 2 } }).run('go')
    expect(result.steps[0]?.results.map((each) => each.outcome)).toEqual(['success', 'success', 'limit'])
    expect(result.status).toBe('done')
  })

  it('stop a model that only names unknown tools three steps in a row', async () => {
    const model = new ScriptedModel([toolCall('a'), toolCall('b'), toolCall('c'), 'Sorry.'])
    const result = await new Agent({ model, tools: [add] }).run('go')
    model.assertComplete()
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'unknown-tools', finalOutput: 'Sorry.' })
  })

  it('end the run at its deadline without another request, and every open call has its result', async () => {
    const slow = tool({ name: 'slow', description: 'Never ends.', execute: () => new Promise(() => {}) })
    const model = new ScriptedModel([toolCall('slow')])
    const result = await new Agent({ model, tools: [slow], limits: { deadlineMs: 500 } }).run('go')
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'deadline' })
    expect(result.steps[0]?.results[0]?.outcome).toBe('cancelled')
    expectValidHistory(result.messages)
  })

  it('are checked when the agent is made', () => {
    const model = new ScriptedModel([])
    expect(() => new Agent({ model, limits: { maxSteps: 0 } })).toThrow('limits.maxSteps is 0')
    expect(() => new Agent({ model, limits: { maxStep: 1 } as object })).toThrow('Did you mean "maxSteps"?')
  })
})

describe('a message that was cut off', () => {
  it.each(['length', 'content-filter'] as const)('by %s runs none of its calls', async (finish) => {
    const execute = vi.fn()
    const spy = tool({ name: 'spy', description: 'Must not run.', execute })
    const model = new ScriptedModel([{ text: 'I will', calls: [toolCall('spy')], finish }, 'Sorry.'])
    const result = await new Agent({ model, tools: [spy] }).run('go')
    expect(result.steps[0]?.results[0]).toMatchObject({ outcome: 'cut-off' })
    expect(execute).not.toHaveBeenCalled()
    expectValidHistory(result.messages)
  })

  it('without calls ends the run with that reason', async () => {
    const model = new ScriptedModel([{ text: 'Once upon', finish: 'length' }])
    expect(await new Agent({ model }).run('Tell me')).toMatchObject({
      status: 'stopped',
      finishReason: 'length',
      finalOutput: 'Once upon',
    })
  })
})

describe('aborting', () => {
  it('rejects with an AbortError that carries the result so far, with a valid history', async () => {
    const abort = new AbortController()
    const slow = tool({
      name: 'slow',
      description: 'Waits.',
      execute: () => {
        setTimeout(() => abort.abort(new Error('user left')), 10)
        return new Promise(() => {})
      },
    })
    const model = new ScriptedModel([[toolCall('slow'), toolCall('add', { a: 1, b: 1 })]])
    const failed = await new Agent({ model, tools: [slow, add] })
      .run('go', { signal: abort.signal })
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(RunError)
    expect(failed).toMatchObject({ name: 'AbortError', cause: { message: 'user left' } })
    const { result } = failed as RunError
    expect(result.messages.at(-1)).toMatchObject({
      role: 'tool',
      results: [{ outcome: 'cancelled' }, { outcome: 'cancelled' }],
    })
    expectValidHistory(result.messages)
  })

  it('ends a model that ignores its signal', async () => {
    const deaf: ModelAdapter = {
      name: 'deaf',
      async *stream() {
        yield { type: 'text-delta', text: 'Well' }
        await new Promise(() => {})
      },
    }
    const failed = await new Agent({ model: deaf })
      .run('go', { signal: AbortSignal.timeout(30) })
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ name: 'AbortError', result: { finalOutput: 'Well' } })
  })

  it('happens when the reader of the stream leaves early', async () => {
    let aborted = false
    const slow = tool({
      name: 'slow',
      description: 'Waits.',
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted = true
            reject(signal.reason)
          }),
        ),
    })
    const model = new ScriptedModel([toolCall('slow')])
    for await (const event of new Agent({ model, tools: [slow] }).stream('go')) {
      if (event.type === 'call-started') break
    }
    expect(aborted).toBe(true)
  })

  it('before the start makes no request that runs', async () => {
    const model = new ScriptedModel(['never'])
    await expect(new Agent({ model }).run('go', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

describe('a model that fails', () => {
  it('rejects with a RunError that names the step and carries what was done', async () => {
    const model = new ScriptedModel([toolCall('add', { a: 1, b: 1 })])
    const failed = await new Agent({ model, tools: [add] }).run('go').catch((error: unknown) => error)
    expect(failed).toMatchObject({
      name: 'RunError',
      message: expect.stringContaining('Step 2 failed: ScriptedModel: request 2 came'),
    })
    expect((failed as RunError).result.steps).toHaveLength(1)
    expectValidHistory((failed as RunError).result.messages)
  })
})

describe('the options of an agent', () => {
  const model = new ScriptedModel([])

  it('refuse tools together with toolRegistry', () => {
    expect(() => new Agent({ model, tools: [add], toolRegistry: new ToolRegistry() })).toThrow(
      'tools or toolRegistry, not both',
    )
  })

  it('name what is wrong with an item of tools', () => {
    expect(() => new Agent({ model, tools: [{ name: 'x', execute() {} }] as never })).toThrow(
      'wrap it as tool({ … })',
    )
    expect(() => new Agent({ model, tools: [new ToolRegistry()] as never })).toThrow('toolRegistry')
    expect(() => new Agent({ model, tools: add as never })).toThrow('tools must be a list')
    expect(() => new Agent({ model, tools: [add, add] })).toThrow('two tools are named "add"')
  })

  it('refuse an option that there is not, and a missing model', () => {
    expect(() => new Agent({ model, tool: [add] } as never)).toThrow('Did you mean "tools"?')
    expect(() => new Agent({} as never)).toThrow('there is no model')
  })
})

describe('executeTool', () => {
  it('passes the same gate outside any run, with a handler of its own', async () => {
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      needsApproval: true,
      execute: (_input, { runId }) => `paid ${runId}`,
    })
    const agent = new Agent({ model: new ScriptedModel([]), tools: [pay] })
    expect((await agent.executeTool('pay')).outcome).toBe('denied')
    expect((await agent.executeTool('pay', {}, { confirm: () => true })).response.text).toBe('paid undefined')
    expect(
      (await agent.executeTool('pay', {}, { confirm: () => true, permissions: { deny: ['pay'] } })).outcome,
    ).toBe('not-allowed')
  })
})
