import fc from 'fast-check'
import { type Tool, Toolkit, ToolRegistry, type ToolSource } from 'offstage'
import { type SearchableIndex, ToolIndex, ToolRetriever, type ToolRetrieverOptions } from 'offstage/retrieval'
import { describe, expect, it, vi } from 'vitest'
import { estimateTokens } from '../../../src/retrieval/estimate-tokens.ts'
import { sourceOf } from '../toolset/sources.ts'
import { described, office } from './retrieval-kit.ts'

/** The names of the hits, best first. */
async function found(retriever: ToolRetriever, query: string): Promise<readonly string[]> {
  const hits = await retriever.search(query)
  return hits.map(({ name }) => name)
}

const over = (tools: readonly Tool[], options?: ToolRetrieverOptions) => new ToolRetriever(tools, options)

describe('ToolRetriever', () => {
  it('gives the names of the tools that fit, most relevant first, as an app uses it', async () => {
    const retriever = new ToolRetriever(office(), { topK: 2, alwaysInclude: ['print_document'] })
    expect(await retriever.retrieve('delete the invoice')).toEqual([
      'print_document',
      'delete_invoice',
      'create_invoice',
    ])
    expect(await retriever.search('delete the invoice', { limit: 1 })).toEqual([
      { name: 'delete_invoice', score: expect.any(Number), terms: ['delete', 'invoice'] },
    ])
    await retriever.close()
    await expect(retriever.retrieve('x')).rejects.toThrow('This ToolRetriever is closed. Make a new one.')
  })

  it('gives the schemas and descriptions of what it retrieves as a registry gives them', async () => {
    const registry = new ToolRegistry()
    registry.registerAll(office())
    const retriever = new ToolRetriever(registry, { topK: 2 })
    const names = ['delete_invoice', 'create_invoice']
    expect(await retriever.schemaFor('delete the invoice')).toEqual(registry.toOpenAISchema(names))
    expect(await retriever.descriptionFor('delete the invoice')).toBe(registry.toolsDescription(names))
    const strict = { strict: true, onInvalid: 'throw' } as const
    expect(await retriever.schemaFor('delete the invoice', strict)).toEqual(
      registry.toOpenAISchema(names, strict),
    )
    const none = new ToolRetriever(registry, { onEmpty: 'none', texts: { noTools: 'nichts' } })
    expect(await none.schemaFor('zzz')).toEqual([])
    expect(await none.descriptionFor('zzz')).toBe('nichts')
  })

  it.each([
    ['addPerson', 'K01'],
    ['addperson', 'K01'],
    ['person', 'K01'],
    ['create edge', 'K03'],
    ['查询天气', 'K06'],
    ['天气', 'K06'],
    ['linear', 'K08'],
    ['linear create issue', 'K08'],
  ])('finds the tool of the query "%s" (%s) first', async (query, id) => {
    const linear = new Toolkit({ name: 'linear', tools: [described('create_issue', 'Creates an issue.')] })
    const retriever = new ToolRetriever([
      ...office(),
      described('addPerson', 'Adds a contact'),
      described('canvas_create_edge', 'Connects nodes'),
      described('tianqi', '查询天气预报'),
      linear,
    ])
    const expected = { K01: 'addPerson', K03: 'canvas_create_edge', K06: 'tianqi', K08: 'create_issue' }[id]
    expect((await found(retriever, query))[0]).toBe(expected)
  })

  it('K05 gives no hits for what nothing answers, and onEmpty says what is retrieved then', async () => {
    const tools = Array.from({ length: 311 }, (_item, index) =>
      described(`tool_${index}`, `Does job ${index}.`),
    )
    const options = { alwaysInclude: ['tool_7'] }
    const all = over(tools, options)
    expect(await all.search('send gmail email')).toEqual([])
    const names = await all.retrieve('send gmail email')
    expect(names).toHaveLength(128)
    expect(names.slice(0, 3)).toEqual(['tool_7', 'tool_0', 'tool_1'])
    const few = tools.slice(0, 9)
    expect(await over(few, { ...options, onEmpty: 'always-include' }).retrieve('send')).toEqual(['tool_7'])
    const none = over(few, { ...options, onEmpty: 'none' })
    expect(await none.retrieve('send')).toEqual([])
    expect(await none.retrieve(' ')).toEqual([])
  })

  it('K11 is not won by descriptions that are stuffed with words', async () => {
    const topics = office()
      .map(({ definition }) => definition.description)
      .join(' ')
    const stuffed = [
      described('everything', topics.repeat(Math.ceil(40_000 / topics.length))),
      described('best_tool', 'best tool use first '.repeat(500)),
    ]
    const retriever = over([...stuffed, ...office()])
    expect((await found(retriever, 'book_room'))[0]).toBe('book_room')
    expect((await found(retriever, 'order lunch'))[0]).toBe('order_lunch')
    expect((await found(retriever, 'translate text'))[0]).toBe('translate_text')
  })

  it('K10 filters by permissions before it cuts', async () => {
    const tools = Array.from({ length: 40 }, (_item, index) => described(`lunch_${index}`, 'Lunch.'))
    const deny = tools.slice(0, 39).map(({ name }) => name)
    const retriever = over(tools, { topK: 2, permissions: { deny } })
    expect(await retriever.retrieve('lunch')).toEqual(['lunch_39'])
    expect(await found(retriever, 'lunch_3')).toEqual(['lunch_39'])
    const always = over(tools, { alwaysInclude: ['lunch_1'], permissions: { deny: ['lunch_1'] } })
    expect(await always.retrieve('lunch_1')).not.toContain('lunch_1')
  })
})

describe('a selector', () => {
  it('gets the query and the hits, and its choice counts instead of topK', async () => {
    const selector = vi.fn<NonNullable<ToolRetrieverOptions['selector']>>(async (_query, hits) =>
      [...hits].reverse(),
    )
    const retriever = over(office(), { topK: 1, alwaysInclude: ['book_room'], selector })
    expect(await retriever.retrieve('invoice delete')).toEqual([
      'book_room',
      'create_invoice',
      'delete_invoice',
    ])
    const [query, hits] = selector.mock.calls[0] ?? []
    expect(query).toBe('invoice delete')
    expect(hits?.map(({ name }) => name)).toEqual(['delete_invoice', 'create_invoice'])
  })

  it('that takes none is as if nothing had been found; what it makes up is left out', async () => {
    const made = { name: 'delete_invoice', score: 9, terms: [] }
    const options = { onEmpty: 'always-include', alwaysInclude: ['book_room'] } as const
    expect(await over(office(), { ...options, selector: () => [] }).retrieve('lunch')).toEqual(['book_room'])
    expect(await over(office(), { ...options, selector: () => [made] }).retrieve('lunch')).toEqual([
      'book_room',
    ])
    const wrong = over(office(), { selector: () => 'all' as never })
    await expect(wrong.retrieve('lunch')).rejects.toThrow('selector: it gave no list')
  })
})

describe('maxSchemaTokens', () => {
  const tokensOf = (tool: Tool) => estimateTokens(tool.definition)
  const properties = Object.fromEntries(
    Array.from({ length: 60 }, (_item, index) => [
      `field_${index}`,
      { type: 'string', description: 'a field' },
    ]),
  )
  const large = described('invoice_report', 'Invoice invoice invoice.', {
    inputSchema: { type: 'object', properties },
  })

  it('leaves out a tool that would pass it, and takes a smaller one behind that fits', async () => {
    const [, create, remove] = office() as [Tool, Tool, Tool]
    const tools = [large, create, remove]
    expect(await over(tools).retrieve('invoice')).toContain('invoice_report')
    const both = tokensOf(create) + tokensOf(remove)
    const names = await over(tools, { maxSchemaTokens: both }).retrieve('invoice')
    expect([...names].sort()).toEqual(['create_invoice', 'delete_invoice'])
    expect(await over(tools, { maxSchemaTokens: both - 1 }).retrieve('invoice')).toHaveLength(1)
  })

  it('counts what is always included, which is never left out, and holds when nothing was found', async () => {
    const tools = [large, ...office()]
    const options = { alwaysInclude: ['invoice_report'], maxSchemaTokens: 10 }
    expect(await over(tools, options).retrieve('lunch')).toEqual(['invoice_report'])
    const some = await over(tools, { maxSchemaTokens: 100 }).retrieve('zzz')
    const tokens = tools
      .filter(({ name }) => some.includes(name))
      .reduce((sum, tool) => sum + tokensOf(tool), 0)
    expect(some.length).toBeGreaterThan(1)
    expect(tokens).toBeLessThanOrEqual(100)
  })

  it('never passes the budget and never takes more than topK, whatever is asked', async () => {
    const tools = [large, ...office()]
    const words = tools.flatMap(({ definition }) => definition.description.split(' '))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 9 }),
        async (query, maxSchemaTokens, topK) => {
          const options = { maxSchemaTokens, topK, onEmpty: 'none' } as const
          const names = await over(tools, options).retrieve(query.join(' '))
          const taken = tools.filter(({ name }) => names.includes(name))
          expect(names.length).toBeLessThanOrEqual(topK)
          expect(taken).toHaveLength(names.length)
          expect(taken.reduce((sum, tool) => sum + tokensOf(tool), 0)).toBeLessThanOrEqual(maxSchemaTokens)
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('a source that changes', () => {
  it('is followed: tools that come, go and change, with the scores that a fresh index gives', async () => {
    const registry = new ToolRegistry()
    registry.registerAll(office())
    const retriever = new ToolRetriever(registry)
    expect(await found(retriever, 'taxi')).toEqual([])
    const remove = registry.register(described('order_taxi', 'Orders a taxi.'))
    expect(await found(retriever, 'taxi')).toEqual(['order_taxi'])
    registry.register(described('order_lunch', 'Orders a taxi or lunch.'), { overwrite: true })
    expect([...(await found(retriever, 'taxi'))].sort()).toEqual(['order_lunch', 'order_taxi'])
    remove()
    const fresh = new ToolRetriever(registry)
    for (const query of ['taxi', 'order lunch', 'invoice']) {
      expect(await retriever.search(query)).toEqual(await fresh.search(query))
    }
  })

  it('is followed when a server that says so changes its list, before anybody asks', async () => {
    const listeners = new Set<() => void>()
    let inner = sourceOf(described('first', 'Alpha.'))
    const source: ToolSource = {
      dynamic: true,
      list: () => inner.list(),
      preflight: (name, input, options) => inner.preflight(name, input, options),
      call: (name, input, options) => inner.call(name, input, options),
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const index = new ToolIndex()
    const update = vi.spyOn(index, 'update')
    const retriever = new ToolRetriever(source, { index })
    expect(listeners.size).toBe(0)
    await retriever.index()
    inner = sourceOf(described('second', 'Beta.'))
    for (let times = 0; times < 5; times += 1) for (const listener of listeners) listener()
    await vi.waitFor(() => expect(update).toHaveBeenCalledTimes(2))
    expect(update.mock.lastCall?.[0].map(({ definition }) => definition.name)).toEqual(['second'])
    expect(await found(retriever, 'beta alpha')).toEqual(['second'])
    expect(update).toHaveBeenCalledTimes(2)
    await retriever.close()
    expect(listeners.size).toBe(0)
  })

  it('without subscribe is read anew for each query', async () => {
    let inner = sourceOf(described('first', 'Alpha.'))
    const source: ToolSource = {
      list: async () => [...(await inner.list())],
      preflight: (name, input, options) => inner.preflight(name, input, options),
      call: (name, input, options) => inner.call(name, input, options),
    }
    const retriever = new ToolRetriever(source)
    expect(await found(retriever, 'beta alpha')).toEqual(['first'])
    inner = sourceOf(described('second', 'Beta.'))
    expect(await found(retriever, 'beta alpha')).toEqual(['second'])
  })

  it('does not index anything anew while nothing changes', async () => {
    const index = new ToolIndex()
    const update = vi.spyOn(index, 'update')
    const retriever = new ToolRetriever([...office(), sourceOf('say')], { index })
    await Promise.all([retriever.retrieve('lunch'), retriever.search('lunch'), retriever.index()])
    await retriever.retrieve('lunch')
    expect(update).toHaveBeenCalledTimes(1)
  })
})

describe('an index elsewhere', () => {
  const elsewhere = (over: Partial<SearchableIndex> = {}): SearchableIndex => ({
    update: vi.fn(async () => {}),
    search: vi.fn(async () => [
      { name: 'gone', score: 2, terms: [] },
      { name: 'order_lunch', score: 1, terms: [] },
    ]),
    close: vi.fn(async () => {}),
    ...over,
  })

  it('is given the tools with their toolkits and examples; what it gives beside them is left out', async () => {
    const index = elsewhere()
    const kit = new Toolkit({
      name: 'kit',
      tools: [described('eat', 'Eats.', { examples: ['I am hungry'] })],
    })
    const retriever = new ToolRetriever([kit, ...office()], { index })
    expect(await retriever.retrieve('lunch')).toEqual(['order_lunch'])
    expect(vi.mocked(index.update).mock.calls[0]?.[0][0]).toMatchObject({
      definition: { name: 'eat', examples: ['I am hungry'] },
      namespace: 'kit',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    await retriever.close()
    expect(index.close).not.toHaveBeenCalled()
  })

  it('that failed once is tried again with the next query', async () => {
    const update = vi.fn(async () => {})
    update.mockRejectedValueOnce(new Error('not yet'))
    const retriever = over(office(), { index: elsewhere({ update }) })
    await expect(retriever.retrieve('lunch')).rejects.toThrow('not yet')
    expect(await retriever.retrieve('lunch')).toEqual(['order_lunch'])
  })
})

describe('new ToolRetriever()', () => {
  const make = (source: unknown, options?: unknown) => () =>
    new ToolRetriever(source as Tool[], options as ToolRetrieverOptions)

  it.each<[unknown, string]>([
    [{ topk: 3 }, 'Did you mean "topK"?'],
    [{ topK: 0 }, 'topK is 0; give a whole number of at least 1'],
    [{ maxSchemaTokens: 1.5 }, 'maxSchemaTokens is 1.5'],
    [{ alwaysInclude: 'a' }, 'alwaysInclude: expected a list of tool names'],
    [{ onEmpty: 'some' }, 'onEmpty: expected "all", "always-include" or "none"'],
    [{ selector: [] }, 'selector: expected a function, (query, hits)'],
    [{ permissions: { alow: [] } }, 'Did you mean "allow"?'],
    [{ index: {} }, 'index: expected an index with update(), search() and close()'],
    [{ texts: { none: '' } }, 'no option "none"'],
  ])('says what is wrong with %j', (options, message) => {
    expect(make(office(), options)).toThrow(message)
  })

  it('says what is wrong with a source, a name and a query', async () => {
    expect(make([{ name: 'a' }])).toThrow('tools[0] is not a tool, a Toolkit or a ToolSource')
    await expect(over(office(), { alwaysInclude: ['order_lunsh'] }).index()).rejects.toThrow(
      'alwaysInclude: there is no tool "order_lunsh". Did you mean "order_lunch"?',
    )
    await expect(over(office(), { permissions: { deny: ['x'] } }).index()).rejects.toThrow(
      'there is no tool "x"',
    )
    await expect(over(office()).retrieve(7 as never)).rejects.toThrow('retrieve(): expected a text')
    await expect(over(office()).search('a', { limit: 0 })).rejects.toThrow('search(), limit is 0')
  })

  it('takes a single tool, a toolkit, a source or a registry as well as a list', async () => {
    const tools = office()
    const registry = new ToolRegistry()
    registry.registerAll(tools)
    const kit = new Toolkit({ name: 'kit', tools })
    for (const source of [tools[9] as Tool, kit, registry, registry.toolset(), [kit]]) {
      expect(await found(new ToolRetriever(source), 'lunch')).toEqual(['order_lunch'])
    }
  })
})
