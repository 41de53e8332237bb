import { external, prefixed, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { listed, namesOf, sourceForStep, sourceOf, stepOf } from './sources.ts'

const ask = {
  name: 'ask',
  description: 'Asks the accounting department.',
  inputSchema: v.object({ question: v.string(), urgent: v.optional(v.boolean(), false) }),
}

describe('external()', () => {
  it('offers a tool without a body, and says so', async () => {
    const { definition } = await listed(external([ask]), 'ask')
    expect(definition).toMatchObject({ name: 'ask', external: true })
    expect(Object.isFrozen(definition)).toBe(true)
  })

  it('is another tool than one of the same schema with a body', async () => {
    const own = sourceOf(tool({ ...ask, execute: () => '' }) as never)
    expect((await listed(own, 'ask')).fingerprint).not.toBe(
      (await listed(external([ask]), 'ask')).fingerprint,
    )
  })

  it('checks an input', async () => {
    const source = external([ask])
    expect(await source.preflight('ask', {})).toMatchObject({
      kind: 'invalid',
      issues: [{ path: 'question' }],
    })
    expect(await source.preflight('ask', { question: 'why', by: 'me' })).toMatchObject({
      kind: 'ready',
      input: { question: 'why', urgent: false },
      droppedKeys: ['by'],
    })
    expect(await source.call('ask', {})).toMatchObject({ kind: 'invalid' })
  })

  it('answers a call later: nothing starts', async () => {
    const onStart = vi.fn()
    expect(await external([ask]).call('ask', { question: 'why' }, { onStart })).toEqual({ kind: 'deferred' })
    expect(onStart).not.toHaveBeenCalled()
  })

  it('takes the other options of a tool', async () => {
    const source = external([
      {
        ...ask,
        needsApproval: (input: { urgent: boolean }) => input.urgent,
        prepare: (definition, { step }) => (step === 1 ? null : definition),
      },
    ])
    expect(await source.preflight('ask', { question: 'why', urgent: true })).toMatchObject({
      needsApproval: true,
    })
    const steps = await Promise.all(
      [1, 2].map((step) => sourceForStep(prefixed(source, 'my'), stepOf(undefined, step))),
    )
    expect(await Promise.all(steps.map(namesOf))).toEqual([[], ['my_ask']])
    expect(await steps[1]?.call('my_ask', { question: 'why' })).toEqual({ kind: 'deferred' })
  })

  it('P8 takes the names that every object has', async () => {
    const source = external(['constructor', '__proto__'].map((name) => ({ ...ask, name })))
    expect(await namesOf(source)).toEqual(['constructor', '__proto__'])
    expect(await source.call('__proto__', { question: 'why' })).toEqual({ kind: 'deferred' })
    expect((await source.call('toString', { question: 'why' })).kind).toBe('failed')
  })

  it.each([
    [
      'a body',
      [{ ...ask, execute: () => 1 }],
      'external tool "ask": it has an execute function, so make it with tool()',
    ],
    ['twins', [ask, ask], 'external(): two tools are named "ask"'],
    ['an unknown option', [{ ...ask, timeout: 5 }], 'Did you mean "timeoutMs"?'],
    ['no list', ask, 'expected a list'],
    ['nothing in the list', [undefined], 'expected an options object'],
  ])('refuses %s', (_what, tools, message) => {
    expect(() => external(tools as never)).toThrow(message)
  })
})
