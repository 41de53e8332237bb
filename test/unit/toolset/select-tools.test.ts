import { approvalRequired, combined, type StepContext, selectTools, ToolRegistrationError } from 'offstage'
import { describe, expect, it } from 'vitest'
import { answer, mortal, namesOf, saying, sourceForRun, sourceForStep, sourceOf, stepOf } from './sources.ts'

const tools = () =>
  sourceOf(
    saying('see', { requires: ['vision', 'tools'] }),
    saying('fast_search', { exclusiveGroup: 'search' }),
    saying('deep_search', { exclusiveGroup: 'search' }),
    saying('delete'),
  )

describe('selectTools()', () => {
  it('D3 keeps what fits the model, the permissions, the session and its group, and says why of the rest', async () => {
    const source = selectTools(tools(), {
      permissions: { deny: ['delete'] },
      capabilities: ['tools'],
      select: ({ definition }, { deps }: StepContext<{ hurry: boolean }>) =>
        definition.name !== 'fast_search' || deps.hurry || 'nobody is in a hurry',
    })
    const [calm, hurried] = await Promise.all(
      [false, true].map(async (hurry) =>
        sourceForStep(await sourceForRun(source, stepOf({ hurry })), stepOf({ hurry })),
      ),
    )
    if (calm === undefined || hurried === undefined) throw new Error('no steps')
    expect(await namesOf(calm)).toEqual(['deep_search'])
    expect(await namesOf(hurried)).toEqual(['fast_search'])
    expect(calm.notes?.()).toEqual([
      {
        kind: 'dropped',
        tool: 'see',
        reason: 'the model is not capable of "vision", which the tool requires',
      },
      { kind: 'dropped', tool: 'fast_search', reason: 'nobody is in a hurry' },
      { kind: 'dropped', tool: 'delete', reason: expect.stringContaining('delete') },
    ])
    expect(hurried.notes?.()[1]).toEqual({
      kind: 'dropped',
      tool: 'deep_search',
      reason: '"fast_search" is offered, the first of the exclusive group "search"',
    })
    expect(await answer(calm, 'delete')).toBe('The tool "delete" is gone.')
  })

  it('drops nothing for capabilities while the model does not say what it can do', async () => {
    const source = selectTools(tools(), {})
    expect(await namesOf(source)).toContain('see')
    const blind = await sourceForStep(source, { ...stepOf(), capabilities: [] })
    expect(await namesOf(blind)).not.toContain('see')
  })

  it('leaves a tool out when select throws, or gives nothing', async () => {
    const source = selectTools(sourceOf('a', 'b', 'c'), {
      select: ({ definition }) => {
        if (definition.name === 'a') throw new Error('no session')
        return definition.name === 'b' ? (undefined as never) : true
      },
    })
    expect(await namesOf(source)).toEqual(['c'])
    expect(source.notes?.()).toEqual([
      { kind: 'dropped', tool: 'a', reason: 'select() failed: no session' },
      { kind: 'dropped', tool: 'b', reason: 'select() left it out' },
    ])
  })

  it.each(['allow', 'deny'] as const)('refuses a name on the %s list that is not there', async (list) => {
    const source = selectTools(sourceOf('delete_file'), { permissions: { [list]: ['delete_fiel'] } })
    await expect(source.list()).rejects.toThrow(
      `selectTools(), permissions.${list}: there is no tool "delete_fiel". Did you mean "delete_file"?`,
    )
  })

  it('notes such a name while a source is dead', async () => {
    const children = combined([mortal('delete', 'the server'), sourceOf('read')], { onSourceError: 'skip' })
    const source = selectTools(children, { permissions: { deny: ['delete'] } })
    expect(await namesOf(source)).toEqual(['read'])
    expect(source.notes?.()).toContainEqual({
      kind: 'unknown-name',
      list: 'selectTools(), permissions.deny',
      name: 'delete',
    })
  })

  it('may leave out in one step what an outer list protects', async () => {
    const source = approvalRequired(selectTools(sourceOf('a', 'b'), { select: () => false }), 'a')
    expect(await namesOf(source)).toEqual([])
    expect(source.notes?.()).toHaveLength(3)
  })

  it.each([
    ['an unknown option', { capability: [] }],
    ['capabilities that are no list', { capabilities: 'vision' }],
    ['select that is no function', { select: true }],
    ['permissions that are none', { permissions: { deny: 'delete' } }],
  ])('refuses %s', (_what, options) => {
    expect(() => selectTools(tools(), options as never)).toThrow(ToolRegistrationError)
  })

  it('asks the permissions, then the capabilities, and only then the app', async () => {
    const asked: string[] = []
    const source = selectTools(tools(), {
      permissions: { allow: ['see', 'delete', 'deep_search'], deny: ['delete'] },
      capabilities: [],
      select: ({ definition }) => {
        asked.push(definition.name)
        return true
      },
    })
    expect(await namesOf(source)).toEqual(['deep_search'])
    expect(asked).toEqual(['deep_search'])
    expect(source.notes?.().map((note) => 'tool' in note && note.tool)).toEqual([
      'see',
      'fast_search',
      'delete',
    ])
  })
})
