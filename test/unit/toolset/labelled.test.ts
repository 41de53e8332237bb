import { filtered, labelled } from 'offstage'
import { describe, expect, it } from 'vitest'
import { listed, namesOf, saying, sourceOf } from './sources.ts'

const tools = () =>
  sourceOf(
    saying('fixed', { effect: 'none', metadata: { team: 'own', deep: { a: 1 } } }),
    saying('by_input', { effect: () => 'none', egress: () => ['a.example'] }),
  )

describe('labelled()', () => {
  it('sets labels, in the definition and in the answer for each input', async () => {
    const source = labelled(tools(), {
      effect: 'destructive',
      egress: ['b.example'],
      reads: 'private',
      externalContent: true,
    })
    const labels = { effect: 'destructive', egress: ['b.example'], reads: 'private', externalContent: true }
    for (const name of ['fixed', 'by_input']) {
      expect((await listed(source, name)).definition.labels).toEqual(labels)
      expect(await source.preflight(name, {})).toMatchObject({ kind: 'ready', labels })
    }
  })

  it('leaves what it does not name to the tool', async () => {
    const source = labelled(tools(), { reads: 'private' })
    expect((await listed(source, 'by_input')).definition.labels).toMatchObject({ effect: 'by-input' })
    expect(await source.preflight('by_input', {})).toMatchObject({
      labels: { effect: 'none', egress: ['a.example'], reads: 'private', externalContent: false },
    })
  })

  it('the outermost of several counts', async () => {
    const source = labelled(labelled(tools(), { effect: 'external' }), { effect: 'local' })
    expect(await source.preflight('fixed', {})).toMatchObject({ labels: { effect: 'local' } })
  })

  it('puts metadata under that of the tool, and selectors find it', async () => {
    const source = labelled(tools(), { metadata: { team: 'all', floor: 2 } })
    expect((await listed(source, 'fixed')).definition.metadata).toEqual({
      team: 'own',
      floor: 2,
      deep: { a: 1 },
    })
    expect((await listed(source, 'by_input')).definition.metadata).toEqual({ team: 'all', floor: 2 })
    expect(await namesOf(filtered(source, { team: 'all' }))).toEqual(['by_input'])
  })

  it('labels the selected tools only', async () => {
    const source = labelled(tools(), { effect: 'external' }, 'by_input')
    expect((await listed(source, 'fixed')).definition.labels.effect).toBe('none')
    expect((await listed(source, 'by_input')).definition.labels.effect).toBe('external')
    await expect(labelled(tools(), {}, 'fixd').list()).rejects.toThrow('Did you mean "fixed"?')
  })

  it('cannot be changed behind its back', async () => {
    const labels = { egress: ['b.example'] }
    const source = labelled(tools(), labels)
    labels.egress.length = 0
    expect(await source.preflight('fixed', {})).toMatchObject({ labels: { egress: ['b.example'] } })
  })

  it('says which tool when its selector throws', async () => {
    const source = labelled(tools(), { effect: 'none' }, () => {
      throw new Error('no')
    })
    await expect(source.list()).rejects.toThrow('labelled(), tool "fixed": the selector failed: no')
  })

  it.each([
    ['an unknown label', { effects: 'none' }, 'Did you mean "effect"?'],
    ['a value that cannot be', { effect: 'small' }, 'labelled(), effect: expected one of none'],
    ['hosts that are none', { egress: [1] }, 'labelled(), egress: expected true, false or a list of hosts'],
    ['a function', { effect: () => 'none' }, 'labels are values here'],
    ['metadata that is none', { metadata: 'x' }, 'labelled(), metadata: expected an object'],
    ['nothing', undefined, 'expected an options object'],
  ])('refuses %s', (_what, labels, message) => {
    expect(() => labelled(tools(), labels as never)).toThrow(message)
  })
})
