import type { ToolInput } from '../toolset/gather.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import { type NamespaceOf, namespacesIn } from './namespaces.ts'
import type { SearchableIndex } from './searchable-index.ts'
import { type CatalogRules, indexed, readCatalog, type ToolCatalog } from './tool-catalog.ts'

/** What a catalogue is kept with. */
export interface CatalogKeeping {
  readonly rules: CatalogRules
  readonly index: SearchableIndex
  /** Whether the index is closed with it. */
  readonly ownsIndex: boolean
}

/** The tools of a source, and an index of them that follows them. */
export class FollowedCatalog {
  readonly index: SearchableIndex
  readonly namespaceOf: NamespaceOf
  readonly #source: ToolSource
  readonly #keeping: CatalogKeeping
  #catalog: ToolCatalog | undefined
  /** What the index holds, or is about to. */
  #indexed: { readonly catalog: ToolCatalog; readonly done: Promise<void> } | undefined
  #stop: (() => void) | undefined
  #following = false
  #closed = false

  constructor(items: readonly ToolInput<never>[], source: ToolSource, keeping: CatalogKeeping) {
    this.#source = source
    this.#keeping = keeping
    this.index = keeping.index
    this.namespaceOf = namespacesIn(items)
  }

  /** The tools as they are now. A source that gives the same list again has changed nothing. */
  async read(): Promise<ToolCatalog> {
    if (this.#closed) throw new Error('This ToolRetriever is closed. Make a new one.')
    const listed = await this.#source.list()
    if (this.#catalog?.listed !== listed || !Object.isFrozen(listed)) {
      this.#catalog = readCatalog(listed, this.#source, this.#keeping.rules)
    }
    return this.#catalog
  }

  /** The same, once the index holds them. */
  async searchable(): Promise<ToolCatalog> {
    const catalog = await this.read()
    this.#stop ??= this.#source.subscribe?.(() => this.#follow())
    if (this.#indexed?.catalog !== catalog) {
      const done = this.index.update(indexed(catalog, this.namespaceOf))
      const now = { catalog, done }
      this.#indexed = now
      // What failed is tried again.
      done.catch(() => {
        if (this.#indexed === now) this.#indexed = undefined
      })
    }
    await this.#indexed.done
    return catalog
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stop?.()
    if (this.#keeping.ownsIndex) await this.index.close()
  }

  /** Reads anew what changed, so that no query has to wait for it. Many changes at once are one. */
  #follow(): void {
    if (this.#following || this.#closed) return
    this.#following = true
    // Whoever asks next is told what is wrong.
    Promise.resolve()
      .then(() => this.searchable())
      .catch(() => {})
      .finally(() => {
        this.#following = false
      })
  }
}
