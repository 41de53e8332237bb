import * as fc from 'fast-check'
import { Agent, type AgentOptions, finalAnswer, ModelRetry, type RunError, type Tool } from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'
import { simple } from '../execution/step-kit.ts'
import { expectValidHistory } from './agent-kit.ts'

const names = ['fine', 'alone', 'retries', 'throws', 'asks', 'rare', 'nobody', 'final_answer'] as const

const call = fc.record({
  name: fc.constantFrom(...names),
  input: fc.constantFrom<unknown>({}, { n: 1 }, '{"n":', null, []),
})
const finish = fc.constantFrom('tool-calls' as const, 'tool-calls' as const, 'length' as const)
const turn: fc.Arbitrary<ScriptedTurn> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ calls: fc.array(call, { maxLength: 5 }), finish }) },
  { weight: 1, arbitrary: fc.constantFrom('That is all.', '') },
)

const options = fc.record({
  maxSteps: fc.integer({ min: 1, max: 5 }),
  maxToolCalls: fc.integer({ min: 0, max: 6 }),
  maxCallsPerStep: fc.integer({ min: 1, max: 4 }),
  maxRetries: fc.nat(2),
  failFast: fc.boolean(),
  endStrategy: fc.constantFrom('none', 'early', 'graceful', 'exhaustive'),
  onExhausted: fc.constantFrom('close', 'throw'),
})

type Given = typeof options extends fc.Arbitrary<infer Value> ? Value : never

function toolsThatNote(started: string[]): Tool[] {
  const made = (name: string, more = {}, act = () => 'ok' as unknown) =>
    simple(
      name,
      () => {
        started.push(name)
        return act()
      },
      more,
    ) as unknown as Tool
  return [
    made('fine'),
    made('alone', { parallelSafe: false }),
    made('retries', {}, () => Promise.reject(new ModelRetry('again'))),
    made('throws', {}, () => Promise.reject(new Error('broken'))),
    made('asks', { needsApproval: true }),
    made('rare', { maxCallsPerRun: 2 }),
  ]
}

function agentOf(turns: readonly ScriptedTurn[], given: Given) {
  const { maxSteps, maxToolCalls, maxCallsPerStep, endStrategy, ...rest } = given
  const started: string[] = []
  // More than any run may ask for.
  const model = new ScriptedModel([...turns, ...Array.from({ length: 20 }, () => 'The end.')])
  const limits = { maxSteps, maxToolCalls, maxCallsPerStep }
  const output = finalAnswer(v.object({ n: v.number() }))
  const ofOutput = endStrategy === 'none' ? {} : { output, endStrategy }
  const agent = new Agent({
    ...({ model, tools: toolsThatNote(started), limits, confirm: () => true, ...rest } as AgentOptions),
    ...(ofOutput as object),
  })
  return { agent, started, model, limits }
}

async function play(turns: readonly ScriptedTurn[], given: Given) {
  const { agent, ...rest } = agentOf(turns, given)
  return { result: await agent.run('go'), ...rest }
}

/** Aborts a run at its n-th event; undefined when it was over before. */
async function abortAt(event: number, agent: Agent): Promise<unknown> {
  const abort = new AbortController()
  let count = 0
  try {
    for await (const { type } of agent.stream('go', { signal: abort.signal })) {
      count += 1
      if (type !== 'done' && count === event) abort.abort()
    }
    return undefined
  } catch (error) {
    return error
  }
}

describe('any run', () => {
  it('ends within its limits, and leaves a valid conversation with one result for each call', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 6 }), options, async (turns, given) => {
        const { result, started, model, limits } = await play(turns, given)
        expect(result.status).not.toBe('paused')
        expect(result.finishReason).not.toBe('paused')
        expectValidHistory(result.messages)
        expect(model.requests.length).toBeLessThanOrEqual(limits.maxSteps + 1)
        expect(started.length).toBeLessThanOrEqual(limits.maxToolCalls)
        expect(started.filter((name) => name === 'rare').length).toBeLessThanOrEqual(2)
        for (const { results } of result.steps) {
          const ran = results.filter(
            ({ executedInput, call: { name } }) => executedInput && name !== 'final_answer',
          )
          expect(ran.length).toBeLessThanOrEqual(limits.maxCallsPerStep)
        }
        // What the model reads is append-only.
        for (const [index, request] of model.requests.entries()) {
          const before = model.requests[index - 1]?.messages ?? []
          expect(request.messages.slice(0, before.length)).toEqual(before)
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('gives an output only when it fits, and says so only then', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 6 }), options, async (turns, given) => {
        const { result } = await play(turns, given)
        if (result.finishReason === 'output')
          expect(result).toMatchObject({ status: 'done', output: { n: 1 } })
        if (result.output !== undefined) expect(result.output).toEqual({ n: 1 })
        if (given.endStrategy === 'none') expect(result).not.toHaveProperty('output')
      }),
      { numRuns: runs(60) },
    )
  })

  it('that is aborted at any moment rejects with a valid conversation, and starts nothing more', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 4 }),
        options,
        fc.integer({ min: 1, max: 20 }),
        async (turns, given, event) => {
          const { agent, started } = agentOf(turns, given)
          const error = await abortAt(event, agent)
          const startedThen = started.length
          // The run may have come to its end while the news of an earlier event was read.
          if (error === undefined) return
          expect(error).toMatchObject({ name: 'AbortError' })
          const { messages, steps } = (error as RunError).result
          expectValidHistory(messages)
          for (const { results } of steps) {
            expect(results.map(({ outcome }) => outcome)).not.toContain('deferred')
          }
          await new Promise((resolve) => setImmediate(resolve))
          expect(started).toHaveLength(startedThen)
        },
      ),
      { numRuns: runs(60) },
    )
  })
})
