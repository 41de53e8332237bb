/** The parts of a tool's text; a word counts by the part that it stands in. */
export type TextPart =
  | 'name'
  | 'namespace'
  | 'description'
  | 'parameterNames'
  | 'parameterTexts'
  | 'choices'
  | 'examples'

/** Every number that decides which tool is found before another. */
export interface RankingParameters {
  /** How much one occurrence of a word counts. */
  readonly partWeights: Readonly<Record<TextPart, number>>
  /** How many occurrences of one word count in one part. */
  readonly maxRepeats: number
  /** BM25: `k` how soon more of a word adds nothing, `b` how much a long text is held against a tool, `d` unused. */
  readonly relevance: { readonly k: number; readonly b: number; readonly d: number }
  /** What the best tool of a clause gets for it, by what the best tool has of the whole text. */
  readonly clauseWeight: number
  /** What a tool gets whose whole name is asked for, by what the best tool has of the whole text. */
  readonly nameCoverage: number
  /** How much of the mean of the best tools of its namespace a tool gets. */
  readonly namespaceShare: number
  /** A text with fewer different words is searched as a whole. */
  readonly minClauseWords: number
  /** A word that more than this share of all tools has does not tell them apart: it counts only beside no other. */
  readonly commonShare: number
  /** In a catalogue of fewer tools every word counts. */
  readonly commonFrom: number
  /** A tool's name that is one plain word is meant by that word where no more tools than these have it. */
  readonly rareName: number
  /** How much vectors count beside words, of 1. */
  readonly vectorShare: number
}

/**
 * Chosen on public sets of tools and requests (MetaTool, LiveMCPBench, BFCL, StableToolBench, Seal-Tools, ACEBench),
 * where most optima are flat.
 */
export const rankingParameters: RankingParameters = {
  partWeights: {
    name: 6,
    namespace: 6,
    description: 2,
    parameterNames: 1,
    parameterTexts: 1,
    choices: 1,
    examples: 0.5,
  },
  maxRepeats: 3,
  relevance: { k: 3, b: 0.6, d: 0 },
  clauseWeight: 0.75,
  nameCoverage: 0.1,
  namespaceShare: 0.2,
  minClauseWords: 6,
  commonShare: 0.5,
  commonFrom: 16,
  rareName: 3,
  vectorShare: 0.3,
}
