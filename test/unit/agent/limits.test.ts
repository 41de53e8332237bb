import { Agent, type ModelAdapter, type RunSoFar, type Tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it, vi } from 'vitest'
import { simple, untilStopped, wait } from '../execution/step-kit.ts'
import { always, calls, expectValidHistory, offeredBy, outcomesOf, play } from './agent-kit.ts'

const execute = vi.fn(() => 'ok')
const again = simple('again', execute) as unknown as Tool

/** Runs a model that never stops calling, until a limit does. */
async function endless(limits: ConstructorParameters<typeof Agent>[0]['limits'], turn = calls('again')) {
  execute.mockClear()
  const model = always(turn)
  const result = await new Agent({ model, tools: [again], ...(limits ? { limits } : {}) }).run('go')
  expectValidHistory(result.messages)
  return { result, requests: model.requests.length, executions: execute.mock.calls.length, model }
}

describe('a model that calls for ever', () => {
  it('S24 is stopped by maxToolCalls after the step that used them up and one more request, without tools', async () => {
    const { result, requests, executions, model } = await endless({ maxToolCalls: 2 })
    expect([executions, requests]).toEqual([2, 3])
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'tool-limit' })
    expect(offeredBy(model)).toEqual([['again'], ['again'], []])
  })

  it('S24 is stopped where several calls of one step use them up: those beyond do not run', async () => {
    const { result, requests, executions } = await endless(
      { maxToolCalls: 2 },
      calls('again', 'again', 'again'),
    )
    expect([executions, requests]).toEqual([2, 2])
    expect(outcomesOf(result)).toEqual([['success', 'success', 'limit']])
  })

  it('P26 is stopped by maxSteps, 20 when nothing is said', async () => {
    expect(await endless({ maxSteps: 1 })).toMatchObject({ requests: 2, executions: 1 })
    const usual = await endless(undefined)
    expect(usual).toMatchObject({ requests: 21, executions: 20, result: { finishReason: 'max-steps' } })
  })

  it('P27 in numbers is stopped as well: of 200 calls in each step 32 run', async () => {
    const two = await endless({ maxSteps: 2 }, calls(...Array.from({ length: 200 }, () => 'again')))
    expect(two).toMatchObject({ requests: 3, executions: 64 })
    const few = await endless({ maxCallsPerStep: 3, maxSteps: 1 }, calls('again', 'again', 'again', 'again'))
    expect(outcomesOf(few.result)).toEqual([['success', 'success', 'success', 'limit']])
  })

  it('is stopped by maxTokens after the step that used them up, without another request', async () => {
    const requests: unknown[] = []
    const model: ModelAdapter = {
      name: 'dear',
      async *stream(request) {
        requests.push(request)
        yield { type: 'call', name: 'again', input: {} }
        yield { type: 'finish', reason: 'tool-calls', usage: { inputTokens: 40, outputTokens: 10 } }
      },
    }
    const result = await new Agent({ model, tools: [again], limits: { maxTokens: 120 } }).run('go')
    expect(result).toMatchObject({
      ...{ status: 'stopped', finishReason: 'max-tokens' },
      usage: { inputTokens: 120, outputTokens: 30 },
    })
    expect(requests).toHaveLength(3)
  })

  it('is stopped by stopWhen, which sees the run so far', async () => {
    const seen: (readonly [number, number])[] = []
    const stopWhen = async ({ steps, usage }: RunSoFar) => {
      seen.push([steps.length, usage.inputTokens])
      return steps.length === 2
    }
    expect(await endless({ stopWhen })).toMatchObject({
      requests: 2,
      executions: 2,
      result: { status: 'stopped', finishReason: 'stop-when' },
    })
    expect(seen).toEqual([
      [1, 0],
      [2, 0],
    ])
  })

  it('is stopped by the deadline, without another request', async () => {
    const model = new ScriptedModel([calls('slow'), 'never'])
    const slow = simple('slow', untilStopped) as unknown as Tool
    const result = await new Agent({ model, tools: [again, slow], limits: { deadlineMs: 250 } }).run('go')
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'deadline' })
    expect(outcomesOf(result)).toEqual([['cancelled']])
    expect(model.requests).toHaveLength(1)
    expectValidHistory(result.messages)
  })

  it('of tools that do not exist is stopped after three such steps and one more request', async () => {
    const { result, requests, model } = await endless(undefined, calls('nobody', 'nothing'))
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'unknown-tools' })
    expect(requests).toBe(4)
    expect(offeredBy(model).at(-1)).toEqual([])
  })

  it('and only now and then names a tool that does not exist is not stopped for that', async () => {
    const unknown = calls('nobody')
    const turns = [unknown, unknown, calls('again', 'nobody'), unknown, unknown, 'done']
    expect((await play(turns, { tools: [again] })).result.status).toBe('done')
  })
})

describe('the last request of a run', () => {
  it('gives the person an answer, and calls in it are dropped', async () => {
    const turns = [calls('again'), { text: 'That is all.', calls: [{ name: 'again', input: {} }] }]
    const { result } = await play(turns, { tools: [again], limits: { maxSteps: 1 } })
    expect(result.finalOutput).toBe('That is all.')
    expect(result.messages.at(-1)).toEqual({ role: 'assistant', text: 'That is all.' })
  })

  it('offers no tool, also not one of the app that is called as the library’s own', async () => {
    const own = simple('final_answer', () => 'ok') as unknown as Tool
    const { model } = await play([calls('final_answer'), 'done'], { tools: [own], limits: { maxSteps: 1 } })
    expect(offeredBy(model)).toEqual([['final_answer'], []])
  })
})

describe('what a run may use', () => {
  it('lets maxCallsPerRun of a tool run, in whatever steps', async () => {
    const ran = vi.fn(() => 'ok')
    const rare = simple('rare', ran, { maxCallsPerRun: 2 }) as unknown as Tool
    const turns = [calls('rare'), calls('rare', 'again', 'rare'), calls('rare'), 'done']
    const { result } = await play(turns, { tools: [rare, again] })
    expect(outcomesOf(result)).toEqual([['success'], ['success', 'success', 'limit'], ['limit']])
    expect(ran).toHaveBeenCalledTimes(2)
    expect(result.steps[1]?.results[2]?.response.text).toContain('at most 2 calls of it run in one run')
  })

  it('is new for each run', async () => {
    const rare = simple('rare', () => 'ok', { maxCallsPerRun: 1 }) as unknown as Tool
    const model = new ScriptedModel([calls('rare'), 'done', calls('rare'), 'done'])
    const agent = new Agent({ model, tools: [rare], limits: { maxToolCalls: 5 } })
    expect(outcomesOf(await agent.run('go'))).toEqual([['success']])
    expect(outcomesOf(await agent.run('go'))).toEqual([['success']])
  })

  it('is not touched by calls that were refused before they were ready', async () => {
    const strict = simple('strict', () => 'ok', { maxCallsPerRun: 1 }) as unknown as Tool
    const turns = [
      [
        { name: 'strict', input: '{' },
        { name: 'nobody', input: {} },
      ],
      calls('strict'),
      'done',
    ]
    const { result } = await play(turns, { tools: [strict], limits: { maxToolCalls: 2 } })
    expect(outcomesOf(result)).toEqual([['invalid', 'unknown'], ['success']])
  })

  it('of 0 tool calls lets none run', async () => {
    const { executions, requests } = await endless({ maxToolCalls: 0 })
    expect([executions, requests]).toEqual([0, 2])
  })
})

describe('a deadline or an abort', () => {
  it('also ends a run that waits for stopWhen', async () => {
    const stopWhen = () => new Promise<boolean>(() => {})
    const model = always(calls('again'))
    const result = await new Agent({ model, tools: [again], limits: { deadlineMs: 250, stopWhen } }).run('go')
    expect(result.finishReason).toBe('deadline')
    expect(model.requests).toHaveLength(1)
  })

  it('during the model’s message runs none of its calls', async () => {
    const ran = vi.fn()
    const model: ModelAdapter = {
      name: 'slow',
      async *stream() {
        yield { type: 'call', name: 'a', input: {} }
        await wait(60)
        yield { type: 'finish', reason: 'tool-calls' }
      },
    }
    const agent = new Agent({
      model,
      tools: [simple('a', ran) as unknown as Tool],
      limits: { deadlineMs: 20 },
    })
    expect((await agent.run('go')).finishReason).toBe('deadline')
    expect(ran).not.toHaveBeenCalled()
  })
})
