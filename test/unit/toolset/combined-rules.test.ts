import {
  approvalRequired,
  combined,
  prepared,
  type StepContext,
  ToolExecutor,
  Toolkit,
  type ToolSource,
  Toolset,
} from 'offstage'
import { describe, expect, it, vi } from 'vitest'
import {
  answer,
  closeMade,
  listed,
  mortal,
  namesOf,
  saying,
  sourceForRun,
  sourceForStep,
  sourceOf,
  stepOf,
} from './sources.ts'

/** A source with an instance for each run and step, which says what happens to it. */
function lively(name: string, told: string[], fails: 'run' | 'step' | undefined = undefined): ToolSource {
  const instance = (what: string): ToolSource => ({
    ...sourceOf(name),
    forStep: async ({ step }: StepContext) => {
      if (fails === 'step') throw new Error(`${name} has no step`)
      return instance(`${what} step ${step}`)
    },
    close: async () => void told.push(`${name}${what} closed`),
  })
  return {
    ...instance(''),
    forRun: async ({ runId }: StepContext) => {
      if (fails === 'run') throw new Error(`${name} has no run`)
      return instance(` ${runId}`)
    },
  }
}

describe('combined()', () => {
  it('a clash names both origins and what can be done about it', async () => {
    const hinted: ToolSource = { ...sourceOf('a'), conflictHint: 'Give the server another namespace.' }
    for (const sources of [
      [sourceOf('a'), hinted],
      [hinted, sourceOf('a')],
    ]) {
      await expect(combined(sources).list()).rejects.toThrow(
        'Two tools are named "a" (origins "app" and "app"). Give the server another namespace.',
      )
    }
    await expect(combined([sourceOf('a'), sourceOf('a')]).list()).rejects.toThrow(
      'wrap one source as prefixed(source',
    )
  })

  it('D4 two toolkits with one name are an error that says how to tell them apart', () => {
    const kit = (name: string, prefix: boolean) => new Toolkit({ name, tools: [saying('a')], prefix })
    expect(() => new ToolExecutor({ tools: [kit('one', false), kit('two', false)] })).toThrow(
      'two tools are named "a" (origins "app" and "app"). Give the toolkit "two" prefix: true.',
    )
    expect(() => new ToolExecutor({ tools: [kit('one', true), kit('one', true)] })).toThrow(
      'Give the toolkit "one" another name: it is the prefix.',
    )
  })

  it('S18 leaves a dead source out when told to, with a note, and tries it again with the next list', async () => {
    const dead = mortal('b', 'the server')
    const source = combined([sourceOf('a'), dead], { onSourceError: 'skip' })
    expect(await namesOf(source)).toEqual(['a'])
    expect(source.notes?.()).toEqual([
      { kind: 'failed', source: 'the server', message: 'the server does not answer' },
    ])
    expect(await answer(source, 'b')).toBe('The tool "b" is gone.')
    expect(await source.preflight('b', {})).toMatchObject({ kind: 'failed' })
    dead.isDead = false
    expect(await namesOf(source)).toEqual(['a', 'b'])
    expect(source.notes?.()).toEqual([])
    expect(await answer(source, 'b')).toBe('b')
  })

  it('S18 fails as a whole otherwise', async () => {
    const source = combined([sourceOf('a'), mortal('b', 'the server')])
    await expect(source.list()).rejects.toThrow('the server does not answer')
    expect(await source.call('a', {})).toMatchObject({ kind: 'crash' })
    expect(await source.preflight('a', {})).toMatchObject({ kind: 'crash' })
  })

  it('names a dead source by its place when it has no name', async () => {
    const { label: _none, ...dead } = mortal('b', 'it')
    const source = combined([sourceOf('a'), dead], { onSourceError: 'skip' })
    await source.list()
    expect(source.notes?.()).toMatchObject([{ source: 'source 2 of 2' }])
  })

  it('does not skip a mistake of the developer', async () => {
    const source = combined([approvalRequired(sourceOf('a'), 'b')], { onSourceError: 'skip' })
    await expect(source.list()).rejects.toThrow('there is no tool "b"')
  })

  it('S18 hands its limits down to the tools that set none', async () => {
    const children = combined([sourceOf('a', saying('own', { timeoutMs: 7, maxRetries: 0 }))], {
      timeoutMs: 50,
      maxRetries: 3,
    })
    const source = combined([children], { timeoutMs: 900, maxRetries: 9 })
    expect((await listed(source, 'a')).definition).toMatchObject({ timeoutMs: 50, maxRetries: 3 })
    expect((await listed(source, 'own')).definition).toMatchObject({ timeoutMs: 7, maxRetries: 0 })
    expect((await listed(source, 'a')).fingerprint).toBe((await listed(sourceOf('a'), 'a')).fingerprint)
  })

  it('S19 shows nobody a definition of another maker that can be changed', async () => {
    const { definition, ...rest } = await listed(sourceOf('a'), 'a')
    const open = { ...rest, definition: structuredClone(definition) }
    const foreign: ToolSource = { ...sourceOf('a'), list: async () => [open] }
    const [shown] = await combined([foreign]).list()
    expect(Object.isFrozen(shown?.definition.inputSchema.properties)).toBe(true)
  })

  it('makes an instance for each run and step, and closes what it made and nothing else', async () => {
    const told: string[] = []
    const source = combined([lively('a', told), sourceOf('b')])
    const run = await sourceForRun(source, { runId: 'run', deps: undefined })
    const step = await sourceForStep(run, stepOf())
    expect(await namesOf(step)).toEqual(['a', 'b'])
    await closeMade(step, run)
    await closeMade(run, source)
    expect(told).toEqual(['a run step 1 closed', 'a run closed'])
    await source.close?.()
    expect(told.at(-1)).toBe('a closed')
  })

  it('serves all runs itself when its children do', async () => {
    const source = combined([new Toolset([saying('a')]), new Toolset([saying('b')])])
    expect(await sourceForRun(source, stepOf())).toBe(source)
    expect(await sourceForStep(source, stepOf())).toBe(source)
  })

  it.each(['run', 'step'] as const)('closes what was made when one child has no %s', async (what) => {
    const told: string[] = []
    const source = combined([lively('a', told), lively('b', told, what)])
    const open = what === 'run' ? sourceForRun : sourceForStep
    await expect(open(source, stepOf())).rejects.toThrow(`b has no ${what}`)
    expect(told).toEqual([what === 'run' ? 'a run closed' : 'a step 1 closed'])
  })

  it.each(['run', 'step'] as const)(
    'leaves out a child that has no %s when told to, with a note',
    async (what) => {
      const source = combined([sourceOf('a'), { ...lively('b', [], what), label: 'the server' }], {
        onSourceError: 'skip',
      })
      const made = await (what === 'run' ? sourceForRun : sourceForStep)(source, stepOf())
      expect(await namesOf(made)).toEqual(['a'])
      expect(made.notes?.()).toEqual([{ kind: 'failed', source: 'the server', message: `b has no ${what}` }])
      expect(await answer(made, 'b')).toContain('gone')
    },
  )

  it('keeps the notes of its children', async () => {
    const hiding = prepared(combined([mortal('a', 'one')], { onSourceError: 'skip' }), () => null)
    const source = combined([hiding, combined([mortal('b', 'two')], { onSourceError: 'skip' })])
    expect(await namesOf(source)).toEqual([])
    expect(source.notes?.()).toMatchObject([{ source: 'one' }, { source: 'two' }])
  })

  it('closes all children, also when one cannot be closed', async () => {
    const closed = vi.fn(async () => {})
    const broken: ToolSource = { ...sourceOf('a'), close: () => Promise.reject(new Error('stuck')) }
    await expect(combined([broken, { ...sourceOf('b'), close: closed }]).close?.()).rejects.toThrow('stuck')
    expect(closed).toHaveBeenCalledOnce()
  })

  it.each([
    [{ onSourceError: 'ignore' }, 'expected "throw" or "skip"'],
    [{ timeoutMs: 0 }, 'give milliseconds above 0'],
    [{ maxRetries: -1 }, 'give a whole number of at least 0'],
    [{ retries: 1 }, 'there is no option "retries"'],
  ])('refuses %j', (options, message) => {
    expect(() => combined([], options as never)).toThrow(message)
  })
})
