import {
  type ApprovalRequest,
  approvalRequired,
  combined,
  dynamic,
  type StepContext,
  ToolExecutor,
  type ToolSource,
} from 'offstage'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listed, mortal, namesOf, saying, sourceForStep, sourceOf, stepOf } from './sources.ts'

afterEach(() => {
  vi.useRealTimers()
})

async function asks(source: ToolSource, name: string, input: unknown = {}): Promise<boolean> {
  const preflight = await source.preflight(name, input)
  if (preflight.kind !== 'ready') throw new Error(JSON.stringify(preflight))
  return preflight.needsApproval
}

describe('approvalRequired()', () => {
  it('has a person asked about every tool, and shows it in the definition', async () => {
    const source = approvalRequired(sourceOf('a'))
    expect((await listed(source, 'a')).definition.needsApproval).toBe(true)
    const confirm = vi.fn((_request: ApprovalRequest) => false)
    const result = await new ToolExecutor({ tools: source, confirm }).execute({ name: 'a', input: {} })
    expect(confirm).toHaveBeenCalledOnce()
    expect(result.outcome).toBe('denied')
  })

  it('asks about the selected tools only', async () => {
    const tools = sourceOf(saying('read', { metadata: { group: 'safe' } }), 'delete', 'pay')
    for (const selector of [
      ['delete', 'pay'],
      ({ definition }: { definition: { name: string } }) => definition.name !== 'read',
    ]) {
      const source = approvalRequired(tools, selector)
      expect(await Promise.all(['read', 'delete', 'pay'].map((name) => asks(source, name)))).toEqual([
        false,
        true,
        true,
      ])
    }
    expect(await asks(approvalRequired(tools, { group: 'safe' }), 'read')).toBe(true)
    expect(await asks(approvalRequired(tools, { group: 'safe' }), 'pay')).toBe(false)
  })

  it('with a rule asks by the checked input, and shows that in the definition', async () => {
    const rule = vi.fn((input: { readonly n?: unknown }) => Number(input.n) > 10)
    const source = approvalRequired(sourceOf('a'), 'all', rule)
    expect((await listed(source, 'a')).definition.needsApproval).toBe('by-input')
    expect(await asks(source, 'a', { n: 11 })).toBe(true)
    expect(await asks(source, 'a', { n: 10, more: 1 })).toBe(false)
    expect(rule).toHaveBeenLastCalledWith({ n: 10 }, await listed(source, 'a'), expect.anything())
    expect(await source.preflight('a', { n: 'x' })).toMatchObject({ kind: 'invalid' })
    expect(rule).toHaveBeenCalledTimes(2)
  })

  it('tells the rule of the step and of the deps of the call', async () => {
    const seen: StepContext[] = []
    const source = approvalRequired(sourceOf('a'), 'all', (_input, _tool, context) => {
      seen.push(context)
      return false
    })
    const step = await sourceForStep(source, { ...stepOf('deps of the step', 4), capabilities: ['vision'] })
    await step.preflight('a', {})
    await step.preflight('a', {}, { deps: 'deps of the call', runId: 'other', step: 5 })
    await source.preflight('a', {}, { deps: 'outside' })
    expect(seen).toEqual([
      { runId: 'run', step: 4, deps: 'deps of the step', capabilities: ['vision'] },
      { runId: 'other', step: 5, deps: 'deps of the call', capabilities: ['vision'] },
      { deps: 'outside' },
    ])
  })

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('no')
      },
    ],
    ['gives nothing', () => undefined],
    ['gives a text', () => ''],
  ])('asks when the rule %s', async (_how, rule) => {
    expect(await asks(approvalRequired(sourceOf('a'), 'all', rule as never), 'a')).toBe(true)
  })

  it('asks when the rule is silent for two seconds', async () => {
    const source = approvalRequired(sourceOf('a'), 'all', () => new Promise(() => {}))
    await source.list()
    vi.useFakeTimers()
    let isAsked: boolean | undefined
    const asked = asks(source, 'a').then((answer) => {
      isAsked = answer
    })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(isAsked).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await asked
    expect(isAsked).toBe(true)
  })

  it('asks about a tool whose selector cannot say', async () => {
    const source = approvalRequired(sourceOf('a', 'b'), ({ definition }) => {
      if (definition.name === 'a') throw new Error('no')
      return undefined as never
    })
    expect(await Promise.all(['a', 'b'].map((name) => asks(source, name)))).toEqual([true, true])
  })

  it('never asks less than the tool itself', async () => {
    const source = approvalRequired(
      sourceOf(saying('a', { needsApproval: true }), saying('b', { needsApproval: () => true })),
      'all',
      () => false,
    )
    expect((await listed(source, 'a')).definition.needsApproval).toBe(true)
    expect(await asks(source, 'a')).toBe(true)
    expect(await asks(source, 'b')).toBe(true)
  })

  it('does not let a rule change what runs', async () => {
    const source = approvalRequired(sourceOf('a'), 'all', (input) => {
      Object.assign(input, { n: 1_000 })
      return false
    })
    expect(await source.preflight('a', { n: 1 })).toMatchObject({ input: { n: 1 }, needsApproval: true })
  })

  it('refuses a name that is not there: nothing would be protected', async () => {
    await expect(approvalRequired(sourceOf('delete_file'), ['delete_fiel']).list()).rejects.toThrow(
      'approvalRequired(): there is no tool "delete_fiel". Did you mean "delete_file"?',
    )
    await expect(approvalRequired(sourceOf('a'), ['constructor']).list()).rejects.toThrow('"constructor"')
  })

  it('notes the name while a source is dead or changes, and protects the tool once it is there', async () => {
    const dead = mortal('delete', 'the server')
    const source = approvalRequired(combined([dead, sourceOf('read')], { onSourceError: 'skip' }), 'delete')
    expect(await namesOf(source)).toEqual(['read'])
    expect(source.notes?.()).toContainEqual({
      kind: 'unknown-name',
      list: 'approvalRequired()',
      name: 'delete',
    })
    dead.isDead = false
    expect(await namesOf(source)).toEqual(['delete', 'read'])
    expect(source.notes?.()).toEqual([])
    expect(await asks(source, 'delete')).toBe(true)
    const changing = approvalRequired(
      dynamic(() => null),
      'delete',
    )
    expect(await namesOf(changing)).toEqual([])
    expect(changing.notes?.()).toHaveLength(1)
  })

  it('does not leave the check to the call where a rule must see the input first', async () => {
    const given: unknown[] = []
    const inner = sourceOf('a')
    const spy: ToolSource = {
      ...inner,
      preflight: (name, input, options) => {
        given.push(options?.mayLeaveCheck)
        return inner.preflight(name, input, options)
      },
    }
    await approvalRequired(spy, 'all', () => false).preflight('a', {}, { mayLeaveCheck: true })
    await approvalRequired(spy, []).preflight('a', {}, { mayLeaveCheck: true })
    expect(given).toEqual([undefined, true])
  })

  it.each([
    ['an empty object', {}],
    ['an empty name', ''],
    ['a number', 7],
    ['null', null],
    ['a list of others', [7]],
  ])('refuses %s as a selector', (_what, selector) => {
    expect(() => approvalRequired(sourceOf('a'), selector as never)).toThrow('expected "all", a tool\'s name')
  })

  it('refuses a rule that is no function', () => {
    expect(() => approvalRequired(sourceOf('a'), 'all', true as never)).toThrow('the rule must be a function')
  })
})
