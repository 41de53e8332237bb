import fc from 'fast-check'
import { type IndexedTool, ToolIndex } from 'offstage/retrieval'
import { expect, it } from 'vitest'
import { indexed } from './tools.ts'

const words = ['mail', 'send', 'weather', 'city', 'get', 'list', 'file', '天气', '查询', 'constructor']
const text = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((some) => some.join(' '))

const someTool: fc.Arbitrary<IndexedTool> = fc
  .record({
    name: fc.constantFrom('send_mail', 'getWeather', 'listFiles', 'city.find', '查询天气', 'x1', 'x2', 'x3'),
    description: text,
    example: text,
    namespace: fc.constantFrom('alpha', 'beta', ''),
  })
  .map(({ name, description, example, namespace }) => {
    const fingerprint = `${description}|${example}`
    return indexed(name, description, { fingerprint, examples: [example], ...(namespace && { namespace }) })
  })
const catalogue = fc.uniqueArray(someTool, { selector: ({ definition }) => definition.name, maxLength: 8 })

async function scoresOf(index: ToolIndex, query: string): Promise<[string, number, readonly string[]][]> {
  const hits = await index.search(query, { limit: 100 })
  return hits
    .map(({ name, score, terms }): [string, number, readonly string[]] => [name, score, terms])
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

it('whatever came and went, scores are those of an index that only ever held what is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(catalogue, { minLength: 2, maxLength: 4 }), text, async (catalogues, query) => {
      const [index, fresh] = [new ToolIndex(), new ToolIndex()]
      for (const tools of catalogues) await index.update(tools)
      await fresh.update(catalogues.at(-1) ?? [])
      const [after, expected] = [await scoresOf(index, query), await scoresOf(fresh, query)]
      expect(after.map(([name, , terms]) => [name, terms])).toEqual(
        expected.map(([name, , terms]) => [name, terms]),
      )
      for (const [place, [, score]] of after.entries())
        expect(score).toBeCloseTo(expected[place]?.[1] ?? 0, 9)
    }),
  )
})

it('no text of a tool or of a query makes it throw, and scores are above 0 and at most 1, best first', async () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom('\ud800', '\udc00', '\u0001', '\u0000', 'a', '_', '天', '̈', 'İ', 'ﬃ', '9'),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { maxLength: 6 }), anyText, async (texts, query) => {
      const index = new ToolIndex()
      const tools = texts.map((each, number) => {
        const parameters = { [each]: { description: each, enum: [each] } }
        return indexed(`${each}${number}`, each, { parameters, examples: [each], namespace: each })
      })
      await index.update(tools)
      const scores = (await index.search(query, { limit: 100 })).map(({ score }) => score)
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true)
      expect(scores).toEqual(scores.toSorted((one, other) => other - one))
      // What was not lost: each is found by its own name.
      for (const { definition } of tools) {
        const names = (await index.search(definition.name, { limit: 100 })).map(({ name }) => name)
        if (definition.name.trim() !== '') expect(names).toContain(definition.name)
      }
    }),
  )
})

it('K06: what other scripts stand beside changes nothing for Latin words', async () => {
  const latin = fc.array(fc.constantFrom('mail', 'sending', 'getWeather', 'cities', 'list_file'), {
    minLength: 1,
  })
  const other = fc.string({
    unit: fc.constantFrom('天', '気', 'を', 'อ', '날', '씨', ' ', '，'),
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(
      latin,
      other,
      fc.array(catalogue, { minLength: 1, maxLength: 1 }),
      async (some, mixed, [tools]) => {
        const index = new ToolIndex()
        const without = (tools ?? []).filter(({ definition }) => !/[^ -~]/.test(JSON.stringify(definition)))
        await index.update(without)
        const plain = await index.search(some.join(' '))
        const beside = await index.search(some.join(` ${mixed} `))
        expect(beside.map(({ name, terms }) => [name, terms])).toEqual(
          plain.map(({ name, terms }) => [name, terms]),
        )
      },
    ),
  )
})
