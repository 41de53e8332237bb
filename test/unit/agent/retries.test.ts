import {
  Agent,
  combined,
  ModelRetry,
  type RunContext,
  type Tool,
  ToolFailed,
  Toolkit,
  Toolset,
  tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { simple, untilStopped } from '../execution/step-kit.ts'
import { always, calls, collect, offeredBy, outcomesOf, play } from './agent-kit.ts'

/** A tool that notes its tries and asks for another one unless it is told otherwise. */
function asking(name = 'edit', options: object = {}) {
  const tries: (readonly [attempt: number, maxRetries: number])[] = []
  const made = tool({
    name,
    description: 'Asks for another try.',
    inputSchema: v.object({ good: v.optional(v.boolean(), false) }),
    parallelSafe: true,
    ...options,
    execute: ({ good }, { attempt, maxRetries }: RunContext) => {
      tries.push([attempt, maxRetries])
      if (!good) throw new ModelRetry('More, please.')
      return 'done'
    },
  })
  return { tool: made as unknown as Tool, tries }
}

const bad = (name = 'edit') => ScriptedModel.toolCall(name)
const good = (name = 'edit') => ScriptedModel.toolCall(name, { good: true })

describe('a tool that asks for another try', () => {
  it('has one try more than retries, is then closed, and is not offered any more', async () => {
    const { tool: edit, tries } = asking('edit', { maxRetries: 2 })
    const { result, model } = await play([bad(), bad(), bad(), bad(), 'done'], { tools: [edit] })
    expect(tries).toEqual([
      [1, 2],
      [2, 2],
      [3, 2],
    ])
    expect(outcomesOf(result)).toEqual([['error'], ['error'], ['error'], ['limit']])
    expect(offeredBy(model)).toEqual([['edit'], ['edit'], ['edit'], [], []])
    const texts = result.steps.flatMap(({ results }) => results.map(({ response }) => response.text))
    expect(texts[0]).toBe('More, please.\nFix this and call again.')
    expect(texts[2]).toBe(
      'More, please.\nedit failed 3 times in a row and is closed for the rest of this run. Do not call it again.',
    )
    expect(texts[3]).toContain('is closed for the rest of this run')
  })

  it('without retries is closed by its first failure', async () => {
    const { tool: edit, tries } = asking('edit', { maxRetries: 0 })
    const { result, model } = await play([bad(), 'done'], { tools: [edit] })
    expect(tries).toEqual([[1, 0]])
    expect(offeredBy(model)).toEqual([['edit'], []])
    expect(result.status).toBe('done')
  })

  it('counts once for each step, however many of its calls failed', async () => {
    const { tool: edit, tries } = asking('edit', { maxRetries: 1 })
    const { model } = await play([[bad(), bad(), bad()], [bad(), bad()], 'done'], { tools: [edit] })
    expect(tries.map(([attempt]) => attempt)).toEqual([1, 1, 1, 2, 2])
    expect(offeredBy(model)).toEqual([['edit'], ['edit'], []])
  })

  it('starts anew after a success', async () => {
    const { tool: edit, tries } = asking()
    const { result } = await play([bad(), good(), bad(), good(), 'done'], { tools: [edit] })
    expect(tries.map(([attempt]) => attempt)).toEqual([1, 2, 1, 2])
    expect(result.status).toBe('done')
  })

  it('has failed in a step in which it also succeeded', async () => {
    const { tool: edit, tries } = asking()
    const { model } = await play([[good(), bad()], [bad(), good()], 'done'], { tools: [edit] })
    expect(tries.map(([attempt]) => attempt)).toEqual([1, 1, 2, 2])
    expect(offeredBy(model).at(-1)).toEqual([])
  })

  it('does not use up the tries of others', async () => {
    const [one, other] = [asking('one'), asking('other')]
    const turns = [bad('one'), bad('other'), bad('one'), good('other'), 'done']
    const { model } = await play(turns, { tools: [one.tool, other.tool] })
    expect(offeredBy(model)).toEqual([
      ...[
        ['one', 'other'],
        ['one', 'other'],
        ['one', 'other'],
      ],
      ...[['other'], ['other']],
    ])
  })

  it('has its tries back in the next run', async () => {
    const { tool: edit, tries } = asking('edit', { maxRetries: 0 })
    const agent = new Agent({ model: new ScriptedModel([bad(), 'a', bad(), 'b']), tools: [edit] })
    await agent.run('go')
    await agent.run('go')
    expect(tries.map(([attempt]) => attempt)).toEqual([1, 1])
  })
})

describe('what counts as a failed try', () => {
  it.each([
    ['invalid input', [{ name: 'a', input: { good: 'x' } }]],
    ['arguments that are no JSON', [{ name: 'a', input: '{"good":' }]],
    ['arguments that are no object', [{ name: 'a', input: [] }]],
  ])('is %s', async (_what, turn) => {
    const { model, result } = await play([turn, turn, 'done'], { tools: [asking('a').tool] })
    expect(offeredBy(model)).toEqual([['a'], ['a'], []])
    const last = result.steps[1]?.results[0]?.response.text
    expect(last).toContain('a failed 2 times in a row and is closed')
    expect(last).not.toContain('Fix this and call again')
  })

  it('is a check that asks for another try, and a deadline that passed', async () => {
    const checked = simple('a', () => 'ok', {
      check: () => {
        throw new ModelRetry('too early')
      },
    } as object) as unknown as Tool
    const slow = simple('a', untilStopped, { timeoutMs: 10 }) as unknown as Tool
    for (const each of [checked, slow]) {
      const { model } = await play([calls('a'), calls('a'), 'done'], { tools: [each] })
      expect(offeredBy(model)).toEqual([['a'], ['a'], []])
    }
  })

  it.each([
    ['an error that the tool throws', () => Promise.reject(new Error('broken'))],
    ['a failure for good', () => Promise.reject(new ToolFailed('no'))],
  ])('is not %s', async (_what, execute) => {
    const a = simple('a', execute, { maxRetries: 0 }) as unknown as Tool
    const { model } = await play([calls('a'), calls('a'), 'done'], { tools: [a] })
    expect(offeredBy(model)).toEqual([['a'], ['a'], ['a']])
  })

  it('is not a no, nor what was cut off', async () => {
    const a = simple('a', () => 'ok', { maxRetries: 0, needsApproval: true }) as unknown as Tool
    const cut = { calls: [bad('a')], finish: 'length' as const }
    const { model, result } = await play([calls('a'), cut, 'done'], { tools: [a], confirm: () => false })
    expect(outcomesOf(result)).toEqual([['denied'], ['cut-off']])
    expect(offeredBy(model)).toEqual([['a'], ['a'], ['a']])
  })
})

describe('how many retries a tool has', () => {
  const retriesOf = async (
    tools: ConstructorParameters<typeof Agent>[0]['tools'],
    options: object,
    seen: () => unknown,
  ) => {
    await new Agent({ model: new ScriptedModel([bad(), 'done']), tools: tools ?? [], ...options }).run('go')
    return seen()
  }

  it('says the tool, else its toolset, else the agent, else it is one', async () => {
    const kit = (own: Tool, options: object) => [new Toolkit({ name: 'kit', tools: [own], ...options })]
    const set = (own: Tool, options: object) => [combined([new Toolset([own])], options)]
    for (const [given, wrap, agent, expected] of [
      [{}, kit, {}, 1],
      [{}, kit, { maxRetries: 4 }, 4],
      [{}, (own: Tool) => kit(own, { maxRetries: 3 }), { maxRetries: 4 }, 3],
      [{}, (own: Tool) => set(own, { maxRetries: 3 }), { maxRetries: 4 }, 3],
      [{ maxRetries: 2 }, (own: Tool) => kit(own, { maxRetries: 3 }), { maxRetries: 4 }, 2],
      [{ maxRetries: 0 }, (own: Tool) => set(own, { maxRetries: 3 }), { maxRetries: 4 }, 0],
    ] as const) {
      const { tool: edit, tries } = asking('edit', given)
      expect(await retriesOf(wrap(edit, {}) as never, agent, () => tries)).toEqual([[1, expected]])
    }
  })

  it('is what the outermost wrapper shows', async () => {
    const { tool: edit, tries } = asking('edit', { maxRetries: 5 })
    const source = new Toolset([edit]).prepared((definition) => ({ ...definition, maxRetries: 0 }))
    const { model } = await play([bad(), 'done'], { tools: [source] })
    expect(tries).toEqual([[1, 0]])
    expect(offeredBy(model)).toEqual([['edit'], []])
  })
})

describe('onExhausted', () => {
  it('throw ends the run with the step in which a tool failed too often', async () => {
    const [edit, other] = [asking('edit', { maxRetries: 0 }), vi.fn(() => 'ok')]
    const model = new ScriptedModel([calls('edit', 'other'), 'never'])
    const tools = [edit.tool, simple('other', other) as unknown as Tool]
    const result = await new Agent({ model, tools, onExhausted: 'throw' }).run('go')
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'exhausted' })
    expect(model.requests).toHaveLength(1)
    expect(other).toHaveBeenCalledOnce()
  })

  it('close leaves the rest of the run as it is, and the step says why the tool is gone', async () => {
    const { tool: edit } = asking('edit', { maxRetries: 0 })
    const events = await collect(
      new Agent({ model: new ScriptedModel([bad(), 'done']), tools: [edit] }).stream('go'),
    )
    const notes = events.flatMap((event) => (event.type === 'step-start' ? [event.notes] : []))
    expect(notes).toEqual([
      [],
      [{ kind: 'dropped', tool: 'edit', reason: expect.stringContaining('failed too often') }],
    ])
  })

  it('is not set off by a tool of the app that is called as the library’s own', async () => {
    const { tool: own } = asking('final_answer', { maxRetries: 0 })
    const { result } = await play([bad('final_answer'), 'done'], { tools: [own] })
    expect(result.status).toBe('done')
  })
})

it('a closed tool that the model calls on and on ends with the other limits', async () => {
  const { tool: edit, tries } = asking('edit', { maxRetries: 0 })
  const model = always(bad())
  const result = await new Agent({ model, tools: [edit], limits: { maxSteps: 5 } }).run('go')
  expect([result.finishReason, model.requests.length, tries.length]).toEqual(['max-steps', 6, 1])
})
