import { LinkedAbort } from '../tool/abort.ts'
import { within } from '../tool/time-limit.ts'
import type { Embedder } from './embedder.ts'
import type { IndexedTool } from './searchable-index.ts'

/** The embedder is asked for so many texts at a time, so that one question does not have to wait for all tools. */
const batchSize = 16
/** Of a tool's text, only so many characters are embedded. */
const maxTextLength = 2_000

/** The vectors of tools, kept as long as the tool is the same. */
export class ToolVectors {
  readonly #embedder: Embedder
  readonly #timeoutMs: number
  readonly #closing = new LinkedAbort(undefined)
  #vectors = new Map<string, Float32Array>()

  constructor(embedder: Embedder, timeoutMs: number) {
    this.#embedder = embedder
    this.#timeoutMs = timeoutMs
  }

  /** Makes the vectors that are missing, and forgets those of tools that are gone. Rejects as the embedder does. */
  async update(tools: readonly IndexedTool[]): Promise<void> {
    const wanted = new Map(tools.map((tool) => [keyOf(tool), tool]))
    const kept = [...this.#vectors].filter(([key]) => wanted.has(key))
    this.#vectors = new Map(kept)
    const missing = [...wanted].filter(([key]) => !this.#vectors.has(key))
    for (let start = 0; start < missing.length; start += batchSize) {
      const batch = missing.slice(start, start + batchSize)
      const vectors = await this.#embed(batch.map(([, tool]) => textOf(tool)))
      for (const [place, [key]] of batch.entries()) this.#vectors.set(key, vectors[place] as Float32Array)
    }
  }

  /** The way to tell how near a tool is to a text, from 0 to 1. Rejects as the embedder does. */
  async near(query: string): Promise<(tool: IndexedTool) => number> {
    const [wanted] = await this.#embed([query.slice(0, maxTextLength)])
    return (tool) => {
      const vector = this.#vectors.get(keyOf(tool))
      return wanted && vector?.length === wanted.length ? Math.max(0, dot(wanted, vector)) : 0
    }
  }

  close(): void {
    this.#closing.abort(new DOMException('the index was closed', 'AbortError'))
    this.#vectors.clear()
  }

  async #embed(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const abort = new LinkedAbort(this.#closing)
    try {
      const vectors = await within(
        this.#embedder.embed(texts, { signal: abort.signal }),
        this.#timeoutMs,
        undefined,
      )
      if (vectors === undefined) {
        throw new Error(`The embedder gave no vectors within ${this.#timeoutMs} ms: see embedTimeoutMs.`)
      }
      return checked(vectors, texts.length)
    } finally {
      abort.abort(new DOMException('nobody waits for the vectors any more', 'AbortError'))
    }
  }
}

function keyOf({ definition, fingerprint }: IndexedTool): string {
  return `${definition.name}\n${fingerprint}`
}

function textOf({ definition: { name, description } }: IndexedTool): string {
  const words = name.replace(/(?<=\p{Ll})(?=\p{Lu})|[_.-]+/gu, ' ')
  return `${words}: ${description}`.slice(0, maxTextLength)
}

/** The vectors, each of length 1. */
function checked(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  if (vectors.length !== count) {
    throw new Error(
      `The embedder gave ${vectors.length} vectors for ${count} texts: it must give one for each.`,
    )
  }
  return vectors.map((vector) => {
    const length = Math.sqrt(dot(vector, vector))
    if (!Number.isFinite(length)) {
      throw new Error('The embedder gave a vector with a number in it that is not finite.')
    }
    return length === 0 ? vector : vector.map((number) => number / length)
  })
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let place = 0; place < one.length; place += 1) sum += (one[place] ?? 0) * (other[place] ?? 0)
  return sum
}
