import { approvalRequired, filtered, type StepContext, ToolExecutor } from 'offstage'
import { describe, expect, it } from 'vitest'
import { answer, namesOf, saying, sourceForRun, sourceForStep, sourceOf, stepOf } from './sources.ts'

describe('filtered()', () => {
  it('keeps what is selected, and the rest does not exist', async () => {
    const source = filtered(sourceOf('a', 'b', 'c'), ['c', 'a'])
    expect(await namesOf(source)).toEqual(['a', 'c'])
    expect(await answer(source, 'b')).toBe('The tool "b" is gone.')
    expect(await source.preflight('b', {})).toMatchObject({ kind: 'failed' })
  })

  it('S13 hides a catalogue: an unknown name is answered without one of the hidden names', async () => {
    const hidden = Array.from({ length: 40 }, (_each, index) => `hidden_${index}`)
    const executor = new ToolExecutor({ tools: filtered(sourceOf('seen', ...hidden), 'seen') })
    for (const name of ['nope', 'hidden_7', 'hiden_7']) {
      const { outcome, response } = await executor.execute({ name, input: {} })
      expect(outcome).toBe('unknown')
      expect(response.text).toContain('seen')
      for (const other of hidden.filter((each) => each !== name)) expect(response.text).not.toContain(other)
    }
  })

  it('asks a function for each step, with the deps of the run', async () => {
    const source = filtered(
      sourceOf('read', 'delete'),
      ({ definition }, { deps, step }: StepContext<{ admin: boolean }>) =>
        definition.name === 'read' || (deps.admin && step === 2),
    )
    const run = await sourceForRun(source, stepOf({ admin: true }))
    const [first, second] = await Promise.all(
      [1, 2].map((step) => sourceForStep(run, stepOf({ admin: true }, step))),
    )
    if (first === undefined || second === undefined) throw new Error('no steps')
    expect(await namesOf(first)).toEqual(['read'])
    expect(await namesOf(second)).toEqual(['read', 'delete'])
    expect(await answer(first, 'delete')).toBe('The tool "delete" is gone.')
    expect(await answer(second, 'delete')).toBe('delete')
  })

  it('hides a tool whose function throws or gives no answer, and notes why', async () => {
    const source = filtered(sourceOf('a', 'b', 'c'), ({ definition: { name } }) => {
      if (name === 'a') throw new Error('no session')
      return name === 'b' ? (undefined as never) : true
    })
    expect(await namesOf(source)).toEqual(['c'])
    expect(source.notes?.()).toEqual([
      { kind: 'dropped', tool: 'a', reason: 'filtered(): the selector failed: no session' },
      {
        kind: 'dropped',
        tool: 'b',
        reason: 'filtered(): the selector failed: the function gave undefined, not true or false',
      },
    ])
  })

  it('refuses a name that is not there', async () => {
    await expect(filtered(sourceOf('read'), ['reed', 'read']).list()).rejects.toThrow('Did you mean "read"?')
  })

  it('by a function may hide in one step what another list protects: that is a note', async () => {
    const source = approvalRequired(
      filtered(sourceOf('a', 'b'), ({ definition }) => definition.name === 'a'),
      ['b'],
    )
    expect(await namesOf(source)).toEqual(['a'])
    expect(source.notes?.()).toContainEqual({ kind: 'unknown-name', list: 'approvalRequired()', name: 'b' })
  })

  it('for good hides a tool from a list that protects it: that is a mistake', async () => {
    const source = approvalRequired(filtered(sourceOf('a', 'b'), 'a'), 'b')
    await expect(source.list()).rejects.toThrow('approvalRequired(): there is no tool "b". Did you mean "a"?')
  })

  it('keeps nothing for an empty list', async () => {
    expect(await namesOf(filtered(sourceOf(saying('a')), []))).toEqual([])
  })
})
