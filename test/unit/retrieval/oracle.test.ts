import { ToolIndex } from 'offstage/retrieval'
import { expect, it } from 'vitest'
import { bm25f } from '../../support/bm25f.ts'
import { type GeneratedCatalogue, generatedCatalogue, han, latin } from '../../support/generated-catalogue.ts'
import { oracleRanking } from '../../support/oracle-ranking.ts'
import { meanScores, rankingScores } from '../../support/ranking-metrics.ts'

/** In percent. */
async function ndcgOfBoth({ tools, queries }: GeneratedCatalogue) {
  const index = new ToolIndex()
  await index.update(tools)
  const rank = oracleRanking(tools)
  const ofIndex = []
  for (const { q, gold } of queries) {
    const hits = await index.search(q, { limit: 10, clauses: false })
    ofIndex.push(
      rankingScores(
        hits.map(({ name }) => name),
        gold,
      ),
    )
  }
  await index.close()
  const ofOracle = queries.map(({ q, gold }) => rankingScores(rank(q), gold))
  return { index: 100 * meanScores(ofIndex).ndcg10, oracle: 100 * meanScores(ofOracle).ndcg10 }
}

it('ranks as a plain BM25F does: their macro nDCG@10 on generated catalogues is within one point', async () => {
  const catalogues = [
    generatedCatalogue(latin, { size: 400, seed: 1 }),
    generatedCatalogue(latin, { size: 400, seed: 2, namespaces: 40 }),
    generatedCatalogue(han, { size: 400, seed: 3 }),
  ]
  const both = await Promise.all(catalogues.map(ndcgOfBoth))
  const mean = (key: 'index' | 'oracle') => both.reduce((sum, each) => sum + each[key], 0) / both.length
  // Neither so easy nor so hard that every ranking would do.
  expect(mean('oracle')).toBeGreaterThan(60)
  expect(mean('oracle')).toBeLessThan(97)
  expect(Math.abs(mean('index') - mean('oracle'))).toBeLessThan(1)
})

it('measures a ranking by what is found, each entry once, at its rank', () => {
  const gold = ['one', ['two', 'also two']]
  expect(rankingScores(['also two', 'two', 'none', 'one'], gold)).toEqual({
    ...{ r1: 0.5, r5: 1, r8: 1 },
    ndcg10: (1 + 1 / Math.log2(5)) / (1 + 1 / Math.log2(3)),
  })
  expect(rankingScores([], gold)).toEqual({ r1: 0, r5: 0, r8: 0, ndcg10: 0 })
})

it('is compared with an oracle that prefers rare words, heavy fields and short texts', () => {
  const rank = bm25f(
    [
      { name: ['list'], text: ['notes', 'and', 'files'] },
      { name: ['notes'], text: ['list', 'and', 'files'] },
      { name: ['list'], text: ['notes'] },
      { name: ['list'], text: ['mail'] },
    ],
    { weights: { name: 3, text: 1 }, k: 1.2, b: 0.75 },
  )
  expect(rank(['notes'])).toEqual([1, 2, 0])
  expect(rank(['list', 'mail'])[0]).toBe(3)
  expect(rank(['nothing'])).toEqual([])
})
