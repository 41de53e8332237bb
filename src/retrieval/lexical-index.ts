import { findClauses } from './clauses.ts'
import { ExactNames } from './exact-names.ts'
import { withJoinedWords } from './joined-words.ts'
import { NameCoverage } from './name-coverage.ts'
import { NamespacePrior } from './namespace-prior.ts'
import { type RankingParameters, rankingParameters } from './ranking-parameters.ts'
import type { RowScores } from './row-scores.ts'
import { searchText } from './search-text.ts'
import type { IndexedTool } from './searchable-index.ts'
import { createTermStore, type TermStore } from './term-store.ts'
import { termWeights } from './term-weights.ts'
import { type ReadText, readText, type Word } from './tokenizer.ts'

/** What a text says about every tool. */
export interface LexicalMatch {
  /** By row, from 0 (it has none of the words) to 1: what it has of the most that one could have of these words. */
  readonly scores: Float64Array
  /** The tools that the text names. */
  readonly named: ReadonlySet<number>
  /** The words of the text that a tool has, as they stand in it. */
  termsOf(row: number): readonly string[]
}

/** How a text is compared. */
export interface MatchOptions {
  readonly clauses: boolean
  /** The only rows that count: no other is found, nor says anything of those that are. @default all */
  readonly among?: ReadonlySet<number> | undefined
}

/** Tools by the words of their texts. Each is known by a number. */
export class LexicalIndex {
  readonly #parameters: RankingParameters
  readonly #store: TermStore
  readonly #names = new ExactNames((word) => this.#isRare(word))
  readonly #coverage = new NameCoverage()
  readonly #prior = new NamespacePrior()

  constructor(parameters: RankingParameters = rankingParameters) {
    this.#parameters = parameters
    this.#store = createTermStore(parameters)
  }

  add(tool: IndexedTool): number {
    const text = searchText(tool)
    const row = this.#store.add(termWeights(text, this.#parameters))
    this.#names.add(row, tool.definition.name, tool.namespace)
    this.#coverage.add(
      row,
      text.name.flatMap((name) => readText(name).words.map(({ term }) => term)),
    )
    this.#prior.add(row, tool.namespace ?? '')
    return row
  }

  remove(row: number, tool: IndexedTool): void {
    this.#store.remove(row)
    this.#names.remove(row, tool.definition.name, tool.namespace)
    this.#coverage.remove(row)
    this.#prior.remove(row)
  }

  /** Compares a text with tools. With `clauses`, a long one also clause by clause. */
  match(query: string, { clauses, among }: MatchOptions): LexicalMatch {
    const text = readText(query)
    const words = withJoinedWords(text, (term) => this.#store.frequency(term) > 0)
    const read = { ...text, words }
    const scored = this.#scoreTerms(words, among)
    const whole = this.#sum(scored, words)
    const parts = clauses && scored.size >= this.#parameters.minClauseWords ? clausesOf(read) : []
    const asked = parts.length > 1 ? parts.map((part) => this.#sum(scored, part)) : []
    return {
      scores: this.#join(whole, asked, new Set(scored.keys())),
      named: this.#names.find(query),
      termsOf: (row) => matchedWords(read, (term) => this.#store.has(row, term)),
    }
  }

  #isRare(word: string): boolean {
    const { words } = readText(word)
    return (
      words.length > 0 && words.every(({ term }) => this.#store.frequency(term) <= this.#parameters.rareName)
    )
  }

  /** What each word gives the tools that have it. One that most tools have tells them apart only where there is no other. */
  #scoreTerms(words: readonly Word[], among: MatchOptions['among']): ReadonlyMap<string, ScoredTerm> {
    const { commonFrom, commonShare } = this.#parameters
    const { count } = this.#store
    const terms = [...new Set(words.map(({ term }) => term))]
    const having = (term: string) => this.#store.frequency(term)
    const rare = count < commonFrom ? terms : terms.filter((term) => having(term) <= count * commonShare)
    // A word that no tool has stays: it tells how much of what is asked for is there.
    const searched = rare.some((term) => having(term) > 0) ? rare : terms
    return new Map(
      searched.map((term) => [
        term,
        { scores: this.#store.scores(term, among), bound: this.#store.bound(term) },
      ]),
    )
  }

  /** All that speaks for a tool beside its words counts relative to the best that the words found. */
  #join({ scores, bound }: Summed, clauses: readonly Summed[], terms: ReadonlySet<string>): Float64Array {
    const { clauseWeight, nameCoverage, namespaceShare } = this.#parameters
    const most = highest(scores)
    if (most === 0) return scores
    if (clauses.length > 0) addBest(scores, clauses, clauseWeight * most)
    this.#coverage.raise(scores, terms, (term) => this.#store.bound(term), nameCoverage * most)
    this.#prior.raise(scores, namespaceShare)
    const scale = highest(scores) / Math.min(1, most / bound)
    return scores.map((score) => score / scale)
  }

  /** Each word counts once, however often it is said. */
  #sum(scored: ReadonlyMap<string, ScoredTerm>, words: readonly Word[]): Summed {
    const scores = new Float64Array(this.#store.highest + 1)
    let bound = 0
    for (const term of new Set(words.map((word) => word.term))) {
      const scoredTerm = scored.get(term)
      if (!scoredTerm) continue
      bound += scoredTerm.bound
      scoredTerm.scores.addTo(scores)
    }
    return { scores, bound }
  }
}

interface ScoredTerm {
  readonly scores: RowScores
  readonly bound: number
}

interface Summed {
  readonly scores: Float64Array
  readonly bound: number
}

/** Adds what a tool has of its best clause. Of each clause the best tool gets as much: one of few words is asked for too. */
function addBest(scores: Float64Array, clauses: readonly Summed[], most: number): void {
  const scales = clauses.map((clause) => most / (highest(clause.scores) || 1))
  for (let row = 1; row < scores.length; row += 1) {
    let best = 0
    for (const [position, clause] of clauses.entries()) {
      best = Math.max(best, (clause.scores[row] ?? 0) * (scales[position] ?? 0))
    }
    scores[row] = (scores[row] ?? 0) + best
  }
}

function highest(scores: Float64Array): number {
  let most = 0
  for (const score of scores) if (score > most) most = score
  return most
}

function clausesOf({ text, words }: ReadText): readonly (readonly Word[])[] {
  return findClauses(text)
    .map((clause) => words.filter(({ start, end }) => start >= clause.start && end <= clause.end))
    .filter((within) => within.length > 0)
}

/** The matched words as they stand in the text; what overlaps, or is one run of a script without spaces, is one. */
function matchedWords({ text, words }: ReadText, has: (term: string) => boolean): readonly string[] {
  const spans: { start: number; end: number }[] = []
  for (const { term, start, end } of words) {
    if (!has(term)) continue
    const last = spans.at(-1)
    if (last && start < last.end) last.end = Math.max(last.end, end)
    else spans.push({ start, end })
  }
  return [...new Set(spans.map(({ start, end }) => text.slice(start, end)))]
}
