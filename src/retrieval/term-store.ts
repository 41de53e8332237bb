import { components, create, insert, remove, type Tokenizer } from '@orama/orama'
import type { RankingParameters } from './ranking-parameters.ts'
import { RowScores } from './row-scores.ts'
import type { TermWeights } from './term-weights.ts'

/** The terms of tools, a row for each tool, and BM25 over them. */
export interface TermStore {
  /** How many rows it holds. */
  readonly count: number
  /** Gives the number that stands for the row; that of one that was removed is used again. */
  add(terms: TermWeights): number
  remove(row: number): void
  /** How many rows have the term. */
  frequency(term: string): number
  has(row: number, term: string): boolean
  /** No row has a number above it. */
  readonly highest: number
  /** What the term alone gives each row that has it. */
  scores(term: string, among: ReadonlySet<number> | undefined): RowScores
  /** What the term gives at most, however much of it a row has. */
  bound(term: string): number
}

const field = 'text'

/**
 * A store in Orama, in one field. The text that Orama gets is the number of the row only: its terms are made
 * elsewhere, and the tokenizer gives them. Orama's own score hooks store each term's share of the text, which BM25 would
 * divide by the length once more, and count a row once for each time that it has a term; and after a removal scores
 * are not what they are without the row. All four are replaced.
 */
export function createTermStore({ relevance }: Pick<RankingParameters, 'relevance'>): TermStore {
  const rows = new Map<string, TermWeights>()
  const unused: number[] = []
  const index = exactIndex(rows)
  const store = create({
    schema: { [field]: 'string' } as const,
    sort: { enabled: false },
    components: { tokenizer: givenTerms(rows), index },
  })
  const data = store.data.index
  const frequency = (term: string) => data.tokenOccurrences[field]?.[term] ?? 0
  return {
    get count() {
      return rows.size
    },
    add(terms) {
      const row = unused.pop() ?? rows.size + 1
      const id = String(row)
      rows.set(id, terms)
      // No hook is asynchronous, so it is done when this returns.
      insert(store, { id, [field]: id }) as string
      return row
    },
    remove(row) {
      const id = String(row)
      if (!rows.has(id)) return
      remove(store, id) as boolean
      rows.delete(id)
      unused.push(row)
    },
    frequency,
    has: (row, term) => rows.get(String(row))?.weights[term] !== undefined,
    get highest() {
      return rows.size + unused.length
    },
    scores(term, among) {
      const scores = new RowScores()
      const ids = rowsWith(data.indexes[field], term)
      const { size } = rows
      // Orama's types want a set that could be changed, which it does not do.
      const where = among as Set<number> | undefined
      index.calculateResultScores(data, field, term, ids, size, relevance, scores, 1, where, uncounted)
      return scores
    },
    bound: (term) => {
      const having = frequency(term)
      return Math.log(1 + (rows.size - having + 0.5) / (having + 0.5)) * (relevance.k + 1)
    },
  }
}

type OramaIndex = ReturnType<typeof components.index.createIndex>

function exactIndex(rows: ReadonlyMap<string, TermWeights>): OramaIndex {
  const index = components.index.createIndex()
  // A sum of halves and whole numbers is exact, whatever came and went before.
  let totalLength = 0
  index.insertDocumentScoreParameters = (data, _, id, tokens, count) => {
    const { weights, length } = rows.get(String(id)) as TermWeights
    totalLength += length
    data.avgFieldLength[field] = totalLength / count
    inner(data.fieldLengths)[Number(id)] = length
    inner(data.frequencies)[Number(id)] = weights
    const occurrences = inner(data.tokenOccurrences)
    for (const token of tokens) occurrences[token] = (occurrences[token] ?? 0) + 1
  }
  index.removeDocumentScoreParameters = (data, _, id, count) => {
    totalLength -= rows.get(String(id))?.length ?? 0
    data.avgFieldLength[field] = count > 1 ? totalLength / (count - 1) : 0
    delete inner(data.fieldLengths)[Number(id)]
    delete inner(data.frequencies)[Number(id)]
  }
  index.insertTokenScoreParameters = () => {}
  index.removeTokenScoreParameters = (data, _, token) => {
    const occurrences = inner(data.tokenOccurrences)
    const left = (occurrences[token] ?? 0) - 1
    if (left > 0) occurrences[token] = left
    else delete occurrences[token]
  }
  return index
}

type Trees = ReturnType<OramaIndex['create']>['indexes']

// Orama's own find() compares each row with all that it has found before: too slow for a term of thousands.
function rowsWith(tree: Trees[string] | undefined, term: string): number[] {
  if (tree?.type !== 'Radix') return []
  let node: typeof tree.node | undefined = tree.node
  while (node && node.w !== term) {
    node = term.startsWith(node.w) ? node.c.get(term.charAt(node.w.length)) : undefined
  }
  return node?.e ? [...node.d] : []
}

// Orama counts here how many words each row has of a query, which only its own thresholds ask for.
class UncountedMatches extends Map<number, Map<string, number>> {
  readonly #shared = new Map<string, number>()
  override has(): boolean {
    return true
  }
  override get(): Map<string, number> {
    return this.#shared
  }
}

const uncounted = new UncountedMatches()

function inner<Value>(ofFields: Record<string, Value>): Value {
  return ofFields[field] as Value
}

function givenTerms(rows: ReadonlyMap<string, TermWeights>): Tokenizer {
  return {
    language: 'english',
    // Orama wants one; nothing is written to it.
    normalizationCache: new Map(),
    tokenize: (id) => Object.keys(rows.get(id)?.weights ?? {}),
  }
}
