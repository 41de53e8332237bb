import {
  combined,
  prefixed,
  prepared,
  type StepContext,
  type ToolDefinition,
  ToolExecutor,
  type ToolSource,
  tool,
} from 'offstage'
import { describe, expect, it, vi } from 'vitest'
import { answer, listed, namesOf, saying, sourceForRun, sourceForStep, sourceOf, stepOf } from './sources.ts'

const slow = tool({
  name: 'slow',
  description: 'Waits until it is stopped.',
  parallelSafe: true,
  execute: (_input, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    }),
})

/** A source that keeps what definition it was called with. */
function spying(source: ToolSource): ToolSource & { readonly seen: (ToolDefinition | undefined)[] } {
  const seen: (ToolDefinition | undefined)[] = []
  return {
    ...source,
    seen,
    call: (name, input, options) => {
      seen.push(options?.definition)
      return source.call(name, input, options)
    },
  }
}

describe('prepared()', () => {
  it('S17 sets a deadline that the executor holds, through every wrapper between', async () => {
    const inner = spying(sourceOf(slow as never))
    const source = prefixed(
      prepared(combined([inner, sourceOf('other')]), (definition) => ({ ...definition, timeoutMs: 50 })),
      'my',
    )
    const result = await new ToolExecutor({ tools: source }).execute({ name: 'my_slow', input: {} })
    expect(result).toMatchObject({ outcome: 'timeout' })
    expect(result.response.text).toContain('50 ms')
    await source.call('my_slow', {}, { signal: AbortSignal.timeout(1) })
    expect(inner.seen.at(-1)).toMatchObject({ name: 'my_slow', timeoutMs: 50 })
  })

  it('gives a frozen definition and freezes what it gets, without freezing the app’s own objects', async () => {
    const extra = { type: 'object', properties: { n: { type: 'number' } } } as const
    const tried: unknown[] = []
    const source = prepared(sourceOf('a'), (definition) => {
      try {
        Object.assign(definition.inputSchema, { type: 'string' })
      } catch (error) {
        tried.push(error)
      }
      return { ...definition, inputSchema: extra }
    })
    const { definition } = await listed(source, 'a')
    expect(tried).toEqual([expect.any(TypeError)])
    expect(definition.inputSchema).toEqual(extra)
    expect(Object.isFrozen(definition.inputSchema.properties)).toBe(true)
    expect(Object.isFrozen(extra)).toBe(false)
  })

  it('hides a tool with null: its calls are gone', async () => {
    const source = prepared(sourceOf('a', 'b'), (definition) => (definition.name === 'a' ? null : definition))
    expect(await namesOf(source)).toEqual(['b'])
    expect(await answer(source, 'a')).toBe('The tool "a" is gone.')
  })

  it('is asked for each step with its context, and steps at the same time do not mix', async () => {
    const source = prepared(
      sourceOf('a'),
      async (definition, { deps, step }: StepContext<{ word: string }>) => ({
        ...definition,
        description: `${deps.word} ${step}`,
      }),
    )
    const contexts = [stepOf({ word: 'one' }, 1), stepOf({ word: 'two' }, 2)]
    const steps = await Promise.all(
      contexts.map(async (context) => sourceForStep(await sourceForRun(source, context), context)),
    )
    const shown = await Promise.all(steps.map((step) => listed(step, 'a')))
    expect(shown.map(({ definition }) => definition.description)).toEqual(['one 1', 'two 2'])
  })

  it('closes nothing that others use when a run or a step is over, and its source with itself', async () => {
    const close = vi.fn(async () => {})
    const source = prepared({ ...sourceOf('a'), close }, (definition) => definition)
    const run = await sourceForRun(source, stepOf())
    const step = await sourceForStep(run, stepOf())
    await step.close?.()
    await run.close?.()
    expect(close).not.toHaveBeenCalled()
    await source.close?.()
    expect(close).toHaveBeenCalledOnce()
  })

  it('keeps fingerprint and origin, and the very tool when nothing changes', async () => {
    const source = sourceOf('a')
    const inner = await listed(source, 'a')
    expect(
      await listed(
        prepared(source, (definition) => definition),
        'a',
      ),
    ).toBe(inner)
    const changed = await listed(
      prepared(source, (definition) => ({ ...definition, version: '2' })),
      'a',
    )
    expect(changed).toMatchObject({ fingerprint: inner.fingerprint, origin: inner.origin })
  })

  it('says which tool when the function throws', async () => {
    const source = prepared(sourceOf('a', 'b'), ({ name }) => {
      throw new Error(`no ${name}`)
    })
    await expect(source.list()).rejects.toMatchObject({
      name: 'ToolError',
      code: 'prepare',
      message: 'prepared(), tool "a": the function failed: no a',
    })
  })

  it.each<[string, (definition: ToolDefinition) => unknown, string]>([
    ['nothing', () => undefined, 'must return a definition, or null'],
    ['a list', (definition) => [definition], 'must return a definition, or null'],
    [
      'another name',
      (definition) => ({ ...definition, name: 'b' }),
      'cannot be renamed here (to "b"); use renamed()',
    ],
    ['a misspelt member', (definition) => ({ ...definition, timeout: 50 }), 'Did you mean "timeoutMs"?'],
    ['no description', (definition) => ({ ...definition, description: ' ' }), 'the description is empty'],
    [
      'no schema',
      (definition) => ({ ...definition, inputSchema: 'any' }),
      'inputSchema must be a JSON Schema',
    ],
    [
      'a function',
      (definition) => ({ ...definition, metadata: { run: () => 1 } }),
      'a function is not a JSON value',
    ],
    ['no time', (definition) => ({ ...definition, timeoutMs: 0 }), 'give milliseconds above 0'],
    [
      'half a retry',
      (definition) => ({ ...definition, maxRetries: 0.5 }),
      'maxRetries must be a whole number',
    ],
    [
      'no effect',
      (definition) => ({ ...definition, labels: { ...definition.labels, effect: 'small' } }),
      'labels.effect must be',
    ],
    ['no labels', ({ labels: _labels, ...definition }) => definition, 'labels.effect must be'],
    ['external', (definition) => ({ ...definition, external: true }), "external is the tool's own"],
    ['approval as text', (definition) => ({ ...definition, needsApproval: 'yes' }), 'needsApproval must be'],
  ])('refuses %s', async (_what, prepare, message) => {
    const source = prepared(sourceOf('a'), prepare as never)
    await expect(source.list()).rejects.toThrow(/^prepared\(\), tool "a"/)
    await expect(source.list()).rejects.toThrow(message)
  })

  it('may have the person asked more often, never less', async () => {
    const asking = sourceOf(saying('a', { needsApproval: true }), saying('b', { needsApproval: () => false }))
    for (const needsApproval of [false, 'by-input'] as const) {
      const source = prepared(asking, (definition) => ({ ...definition, needsApproval }))
      await expect(source.list()).rejects.toThrow('a wrapper may only ask more often')
    }
    const stricter = prepared(asking, (definition) => ({ ...definition, needsApproval: true }))
    expect(await stricter.preflight('b', {})).toMatchObject({ kind: 'ready', needsApproval: true })
  })

  it('cannot leave a label to the input where the tool does not decide it: the tool’s own value counts', async () => {
    const source = prepared(sourceOf('a'), (definition) => ({
      ...definition,
      labels: { ...definition.labels, effect: 'by-input', reads: 'private' },
    }))
    expect(await source.preflight('a', {})).toMatchObject({ labels: { effect: 'local', reads: 'private' } })
  })

  it('takes a deadline that is none', async () => {
    const source = prepared(sourceOf('a'), (definition) => ({
      ...definition,
      timeoutMs: Number.POSITIVE_INFINITY,
    }))
    expect((await listed(source, 'a')).definition.timeoutMs).toBe(Number.POSITIVE_INFINITY)
  })

  it('refuses what is no function', () => {
    expect(() => prepared(sourceOf('a'), {} as never)).toThrow('expected a function')
  })
})
