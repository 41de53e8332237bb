import { approvalRequired, prefixed, type StepContext, Toolset, tool } from 'offstage'
import { describe, expect, it, vi } from 'vitest'
import { answer, listed, namesOf, saying, sourceForStep, sourceOf, stepOf } from './sources.ts'

const forAdmins = saying('delete', {
  prepare: (definition, { deps }) => ((deps as { admin: boolean }).admin ? definition : null),
})

describe('a tool with prepare', () => {
  it('is hidden in a step in which prepare says null', async () => {
    const source = sourceOf(forAdmins, 'read')
    const [guest, admin] = await Promise.all(
      [false, true].map((isAdmin) => sourceForStep(source, stepOf({ admin: isAdmin }))),
    )
    if (guest === undefined || admin === undefined) throw new Error('no steps')
    expect(await namesOf(guest)).toEqual(['read'])
    expect(await namesOf(admin)).toEqual(['delete', 'read'])
    expect(await answer(guest, 'delete')).toBe('The tool "delete" is gone.')
    expect(await guest.preflight('delete', {})).toMatchObject({ kind: 'failed' })
    expect(await answer(admin, 'delete')).toBe('delete')
    expect(await namesOf(source)).toEqual(['delete', 'read'])
  })

  it('is shown with the definition that prepare gave', async () => {
    const counting = tool({
      name: 'a',
      description: 'A.',
      prepare: (definition, { step }: StepContext) => ({ ...definition, description: `Step ${step}.` }),
      execute: () => 'a',
    })
    const source = prefixed(sourceOf(counting as never), 'my')
    const step = await sourceForStep(source, stepOf(undefined, 3))
    expect((await listed(step, 'my_a')).definition.description).toBe('Step 3.')
  })

  it('is prepared beside the others, not after them', async () => {
    const waiting: (() => void)[] = []
    const late = (name: string) =>
      saying(name, {
        prepare: async (definition) => {
          await new Promise<void>((resolve) => waiting.push(resolve))
          return definition
        },
      })
    const listing = sourceForStep(sourceOf(late('a'), late('b')), stepOf()).then((step) => step.list())
    await vi.waitFor(() => expect(waiting).toHaveLength(2))
    for (const go of waiting) go()
    expect(await listing).toHaveLength(2)
  })

  it('cannot rename itself', async () => {
    const renaming = saying('a', { prepare: (definition) => ({ ...definition, name: 'b' }) })
    const step = sourceForStep(sourceOf(renaming), stepOf())
    await expect(step).rejects.toThrow('prepare, tool "a": it cannot be renamed here')
  })

  it('may be hidden while a list protects it', async () => {
    const source = approvalRequired(sourceOf(forAdmins), 'delete')
    const step = await sourceForStep(source, stepOf({ admin: false }))
    expect(await namesOf(step)).toEqual([])
    expect(step.notes?.()).toEqual([{ kind: 'unknown-name', list: 'approvalRequired()', name: 'delete' }])
  })

  it('costs nothing where no tool has one: the source serves all steps itself', async () => {
    for (const source of [new Toolset([saying('a')]), prefixed(new Toolset([saying('a')]), 'my')]) {
      expect(await sourceForStep(source, stepOf())).toBe(source)
    }
  })
})
