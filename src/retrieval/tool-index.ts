import { latePart } from '../tool/late-part.ts'
import { throwLater } from '../tool/throw-later.ts'
import type { Embedder } from './embedder.ts'
import type { LexicalIndex } from './lexical-index.ts'
import { WorkSlices } from './pause.ts'
import type { RankedEntries, RankedEntry } from './rank-tools.ts'
import type { IndexedTool, IndexSearchOptions, SearchableIndex, ToolHit } from './searchable-index.ts'
import { ToolVectors } from './tool-vectors.ts'

/** Options of a {@link ToolIndex}. */
export interface ToolIndexOptions {
  /** Makes tools count that mean what is asked for in other words. @default none: words alone */
  readonly embedder?: Embedder
  /** How long to wait for vectors, for each batch of tools and for each query. In milliseconds. @default 10_000 */
  readonly embedTimeoutMs?: number
  /**
   * Told why there were no vectors; tools are then found by words alone.
   *
   * @default the error reaches the app's own error handling
   */
  readonly onEmbedderError?: (error: unknown) => void
}

const ranking = latePart(async () => {
  const [{ LexicalIndex }, { rankTools }] = await Promise.all([
    import('./lexical-index.ts'),
    import('./rank-tools.ts'),
  ])
  return { LexicalIndex, rankTools }
})

const nothing: RankedEntries = { byName: new Map(), byRow: [] }

/**
 * An index of tools in this realm: BM25 over the words of their names, descriptions and parameters, in any script. It is
 * built in short slices, so that the page stays responsive. Orama, which holds it, is loaded with the first update.
 */
export class ToolIndex implements SearchableIndex {
  readonly #vectors: ToolVectors | undefined
  readonly #multilingual: boolean
  readonly #report: (error: unknown) => void
  #index: LexicalIndex | undefined
  #entries: RankedEntries = nothing
  #updating: Promise<void> = Promise.resolve()
  #firstWords: Promise<void> | undefined
  #closed = false

  constructor({ embedder, embedTimeoutMs = 10_000, onEmbedderError = throwLater }: ToolIndexOptions = {}) {
    this.#vectors = embedder && new ToolVectors(embedder, embedTimeoutMs)
    this.#multilingual = embedder?.multilingual ?? false
    this.#report = onEmbedderError
  }

  /**
   * Makes the index hold exactly these tools; of two with one name, the first. Searches meanwhile find what was there
   * before. Updates follow each other.
   *
   * @throws Error, when the index is closed or a part of the library cannot be loaded.
   */
  update(tools: readonly IndexedTool[]): Promise<void> {
    const words = this.#updating.then(() => this.#updateWords(tools))
    this.#firstWords ??= words.catch(() => {})
    const update = words.then(() => this.#updateVectors(tools))
    this.#updating = update.catch(() => {})
    return update
  }

  /**
   * The tools that have words of the query, best first. A tool whose name is the query, or stands in it, is before all
   * others, with the score 1; other scores are what the tool has of the most that one could have of these words.
   *
   * @throws Error, when the index is closed.
   */
  async search(query: string, options: IndexSearchOptions = {}): Promise<readonly ToolHit[]> {
    await this.#firstWords
    const near = await this.#near(query)
    this.#assertOpen()
    if (this.#index === undefined || this.#entries.byName.size === 0) return []
    const { rankTools } = await ranking()
    this.#assertOpen()
    const { limit = 8, among, clauses = true } = options
    return rankTools({
      index: this.#index,
      entries: this.#entries,
      query,
      limit,
      clauses,
      multilingual: this.#multilingual,
      ...(among && { among }),
      ...(near && { near }),
    })
  }

  /** Forgets all tools. What is called later rejects. */
  async close(): Promise<void> {
    this.#closed = true
    this.#vectors?.close()
    this.#index = undefined
    this.#entries = nothing
  }

  async #near(query: string): Promise<((tool: IndexedTool) => number) | undefined> {
    if (this.#vectors === undefined || this.#closed || query.trim() === '') return undefined
    try {
      return await this.#vectors.near(query)
    } catch (error) {
      this.#failed(error)
      return undefined
    }
  }

  async #updateWords(tools: readonly IndexedTool[]): Promise<void> {
    const { LexicalIndex } = await ranking()
    this.#assertOpen()
    this.#index ??= new LexicalIndex()
    const index = this.#index
    const slices = new WorkSlices()
    const next = new Map<string, RankedEntry>()
    for (const tool of tools) {
      const { name } = tool.definition
      if (next.has(name)) continue
      const known = this.#entries.byName.get(name)
      const row = known && isSame(known.tool, tool) ? known.row : index.add(tool)
      next.set(name, { tool, row, place: next.size })
      await slices.next()
      this.#assertOpen()
    }
    const { byName: before } = this.#entries
    this.#entries = { byName: next, byRow: byRow(next.values()) }
    for (const [name, { row, tool }] of before) {
      if (next.get(name)?.row !== row) index.remove(row, tool)
      await slices.next()
      this.#assertOpen()
    }
  }

  async #updateVectors(tools: readonly IndexedTool[]): Promise<void> {
    try {
      await this.#vectors?.update(tools)
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    if (!this.#closed) this.#report(error)
  }

  #assertOpen(): void {
    if (this.#closed) throw new Error('This ToolIndex is closed: make a new one.')
  }
}

function byRow(entries: Iterable<RankedEntry>): readonly (RankedEntry | undefined)[] {
  const rows: (RankedEntry | undefined)[] = []
  for (const entry of entries) rows[entry.row] = entry
  return rows
}

function isSame(one: IndexedTool, other: IndexedTool): boolean {
  return one.fingerprint === other.fingerprint && one.namespace === other.namespace
}
