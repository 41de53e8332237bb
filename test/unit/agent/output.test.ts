import { Agent, type AgentOptions, finalAnswer, type ModelAdapter, ModelRetry, type Tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { simple } from '../execution/step-kit.ts'
import { calls, expectValidHistory, offeredBy, outcomesOf, play } from './agent-kit.ts'

const output = finalAnswer(
  v.object({ total: v.pipe(v.number(), v.minValue(0)), note: v.optional(v.string(), 'none') }),
)
const { toolCall } = ScriptedModel
const final = (total: unknown = 3) => toolCall('final_answer', { total })

const work = vi.fn(() => 'worked')
const worker = simple('work', work) as unknown as Tool
const edit = simple('edit', () => {
  throw new ModelRetry('The file has changed.')
}) as unknown as Tool

function withOutput(turns: Parameters<typeof play>[0], options: Partial<AgentOptions> = {}) {
  work.mockClear()
  return play(turns, { tools: [worker, edit], output, ...options })
}

describe('a final answer', () => {
  it('is checked, filled in, and ends the run', async () => {
    const { result, model } = await withOutput([calls('work'), final()])
    expect(result).toMatchObject({
      status: 'done',
      finishReason: 'output',
      output: { total: 3, note: 'none' },
    })
    expect(offeredBy(model)).toEqual([
      ['work', 'edit', 'final_answer'],
      ['work', 'edit', 'final_answer'],
    ])
    expectValidHistory(result.messages)
  })

  it('that does not fit goes back to the model, and the run ends when none fits', async () => {
    const { result } = await withOutput([final(-1), final(4)])
    expect(result).toMatchObject({ finishReason: 'output', output: { total: 4 } })
    const never = await withOutput([final(-1), final('x')])
    expect(never.result).toMatchObject({ status: 'stopped', finishReason: 'exhausted' })
    expect(never.result).not.toHaveProperty('output')
    const patient = await withOutput([final(-1), final('x'), final(-2), final(5)], { maxRetries: 3 })
    expect(patient.result.output).toMatchObject({ total: 5 })
  })

  it('that is a text is asked for again, with the name of the tool, and not for ever', async () => {
    const { result, model } = await withOutput(['It is three.', final()])
    expect(result.finishReason).toBe('output')
    expect(model.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      text: 'Give your final answer by calling final_answer.',
    })
    const stubborn = await withOutput(['Three.', 'Three!'])
    expect(stubborn.result).toMatchObject({
      status: 'stopped',
      finishReason: 'exhausted',
      finalOutput: 'Three!',
    })
  })

  it('is not asked for again where the text was cut off', async () => {
    const { result } = await withOutput([{ text: 'It is', finish: 'length' }])
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'length' })
  })

  it('can be given whatever the permissions allow', async () => {
    for (const permissions of [
      { allow: ['work'] },
      { allow: [] },
      { allowOrigins: [] },
      { denyOrigins: ['app'] },
    ]) {
      const { result, model } = await withOutput([final()], { permissions })
      expect(offeredBy(model)[0]).toContain('final_answer')
      expect(result.finishReason).toBe('output')
    }
  })

  it('has a name that no other tool can have', async () => {
    const own = simple('final_answer', () => 'ok') as unknown as Tool
    expect(() => new Agent({ model: new ScriptedModel([]), tools: [own], output })).toThrow(
      'two tools are named "final_answer"',
    )
  })
})

describe('a final answer in the last turn of a run', () => {
  const limited = [
    ['max-steps', { maxSteps: 1 }],
    ['tool-limit', { maxToolCalls: 1 }],
  ] as const

  it.each(limited)('after %s is the only tool that is offered, and counts', async (reason, limits) => {
    const { result, model } = await withOutput([calls('work'), [toolCall('work'), final()]], { limits })
    expect(offeredBy(model)[1]).toEqual(['final_answer'])
    expect(result).toMatchObject({ status: 'stopped', finishReason: reason, output: { total: 3 } })
    expect(work).toHaveBeenCalledOnce()
    expectValidHistory(result.messages)
  })

  it.each(limited)(
    'after %s may be a text or not fit, and the run ends all the same',
    async (reason, limits) => {
      for (const last of ['Three.', final(-1)]) {
        const { result } = await withOutput([calls('work'), last], { limits })
        expect(result).toMatchObject({ status: 'stopped', finishReason: reason })
        expect(result).not.toHaveProperty('output')
      }
    },
  )
})

it('a final answer in the last turn counts also beside one that does not fit, as there is no other try', async () => {
  const turns = [calls('work'), [final(1), final(-1)]]
  const { result } = await withOutput(turns, { endStrategy: 'exhaustive', limits: { maxSteps: 1 } })
  expect(result).toMatchObject({ status: 'stopped', finishReason: 'max-steps', output: { total: 1 } })
})

it('a text in place of the final answer is not asked about again once the tokens are used up', async () => {
  const model: ModelAdapter = {
    name: 'dear',
    async *stream() {
      yield { type: 'text-delta', text: 'Three.' }
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 8, outputTokens: 2 } }
    },
  }
  const agent = new Agent({ model, output, maxRetries: 9, limits: { maxTokens: 20 } })
  expect(await agent.run('go')).toMatchObject({
    ...{ status: 'stopped', finishReason: 'max-tokens' },
    usage: { inputTokens: 16, outputTokens: 4 },
  })
})

describe('other calls in the message with the final answer', () => {
  it('early: do not run, and are told why', async () => {
    const { result } = await withOutput([[toolCall('work'), final(), toolCall('nobody')]], {
      endStrategy: 'early',
    })
    expect(work).not.toHaveBeenCalled()
    expect(result).toMatchObject({ finishReason: 'output', output: { total: 3 } })
    expect(outcomesOf(result)).toEqual([['cancelled', 'success', 'cancelled']])
    expect(result.steps[0]?.results[0]?.response.text).toContain('the final answer was given')
    expectValidHistory(result.messages)
  })

  it('early: run when no answer fits', async () => {
    const turns = [[toolCall('work'), final(-1)], final()]
    const { result } = await withOutput(turns, { endStrategy: 'early' })
    expect(work).toHaveBeenCalledOnce()
    expect(outcomesOf(result)).toEqual([['success', 'invalid'], ['success']])
  })

  it('graceful, unless said otherwise: run', async () => {
    const { result } = await withOutput([[final(), toolCall('work')]])
    expect(work).toHaveBeenCalledOnce()
    expect(result).toMatchObject({ finishReason: 'output', output: { total: 3 } })
    expect(outcomesOf(result)).toEqual([['success', 'success']])
  })

  it.each(['graceful', 'exhaustive'] as const)(
    'S10 %s: keep the run going when one of them asks for another try',
    async (endStrategy) => {
      const turns = [[toolCall('edit'), final(1)], [final(2)]]
      const { result } = await withOutput(turns, { endStrategy })
      expect(outcomesOf(result)).toEqual([['error', 'success'], ['success']])
      expect(result.output).toMatchObject({ total: 2 })
    },
  )

  it('graceful: do not keep it going with an unknown name, an error, or a second answer that does not fit', async () => {
    const broken = simple('broken', () => Promise.reject(new Error('no'))) as unknown as Tool
    const turn = [toolCall('nobody'), toolCall('broken'), final(1), final(-1)]
    const { result } = await withOutput([turn], { tools: [broken] })
    expect(result).toMatchObject({ finishReason: 'output', output: { total: 1 } })
  })

  it('exhaustive: keep it going with a second answer that does not fit', async () => {
    const { result } = await withOutput([[final(1), final(-1)], final(2)], { endStrategy: 'exhaustive' })
    expect(result.output).toMatchObject({ total: 2 })
  })

  it('of several answers that fit the first counts', async () => {
    for (const endStrategy of ['early', 'graceful', 'exhaustive'] as const) {
      const { result } = await withOutput([[final(-1), final(1), final(2)].slice(1)], { endStrategy })
      expect(result.output).toMatchObject({ total: 1 })
    }
  })
})

it('an agent without an output schema takes no endStrategy', () => {
  expect(() => new Agent({ model: new ScriptedModel([]), endStrategy: 'early' })).toThrow(
    'endStrategy needs output',
  )
})
