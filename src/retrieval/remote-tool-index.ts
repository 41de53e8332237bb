import { ToolWorkerError } from '../tool/errors.ts'
import { within } from '../tool/time-limit.ts'
import { type IndexWorker, openIndexWorker } from './open-index-worker.ts'
import type { IndexedTool, IndexSearchOptions, SearchableIndex, ToolHit } from './searchable-index.ts'

/** Options of {@link remoteToolIndex}. */
export interface RemoteToolIndexOptions {
  /**
   * How long the worker may take to start, and to answer a search or an update. One that takes longer is ended; the next
   * call starts another. In milliseconds.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number
}

/** Sent in one message: copying more would hold up the page. */
const toolsPerMessage = 100

/**
 * An index of tools in a worker of its own, whose file calls {@link serveToolIndex}: indexing and searching then cost the
 * page nothing. The worker starts with the first update or search; only tools that changed are sent to it.
 *
 * @param factory - Makes the worker. Its `new Worker(new URL(…))` must stand in the app's own file, where bundlers see it.
 * @throws {@link ToolWorkerError} from `update` and `search`, when the worker does not start, does not answer in time, or
 * the index is closed.
 * @example
 * const index = remoteToolIndex(
 *   () => new Worker(new URL('./tool-index.worker.ts', import.meta.url), { type: 'module' }),
 * )
 */
export function remoteToolIndex(
  factory: () => Worker,
  { timeoutMs = 30_000 }: RemoteToolIndexOptions = {},
): SearchableIndex {
  return new RemoteToolIndex(factory, timeoutMs)
}

/** A worker, and what it was sent. */
interface OpenedIndex {
  readonly worker: IndexWorker
  readonly fingerprints: Map<string, string>
  readonly failed: Promise<never>
  fail(error: Error): void
}

class RemoteToolIndex implements SearchableIndex {
  readonly #factory: () => Worker
  readonly #timeoutMs: number
  #opened: Promise<OpenedIndex> | undefined
  #tools: readonly IndexedTool[] = []
  #updating: Promise<void> = Promise.resolve()
  #closed = false

  constructor(factory: () => Worker, timeoutMs: number) {
    this.#factory = factory
    this.#timeoutMs = timeoutMs
  }

  update(tools: readonly IndexedTool[]): Promise<void> {
    this.#tools = tools
    const update = this.#updating.then(async () => {
      const opened = this.#opened
      // One that has to be started gets the newest tools at once.
      await (opened ? this.#send(await opened, tools) : this.#open())
    })
    this.#updating = update.catch(() => {})
    return update
  }

  async search(query: string, options: IndexSearchOptions = {}): Promise<readonly ToolHit[]> {
    const opened = await this.#open()
    return this.#answer(opened, opened.worker.face.search(query, options))
  }

  async close(): Promise<void> {
    this.#closed = true
    const opened = await this.#opened?.catch(() => undefined)
    opened?.fail(closedError())
  }

  #open(): Promise<OpenedIndex> {
    if (this.#closed) return Promise.reject(closedError())
    this.#opened ??= this.#start()
    return this.#opened
  }

  async #start(): Promise<OpenedIndex> {
    let opened: OpenedIndex | undefined
    try {
      opened = this.#watched(await openIndexWorker(this.#factory, this.#timeoutMs))
      if (this.#closed) opened.fail(closedError())
      if (this.#tools.length > 0) await this.#send(opened, this.#tools)
      return opened
    } catch (error) {
      opened?.fail(error as Error)
      this.#opened = undefined
      throw error
    }
  }

  #watched(worker: IndexWorker): OpenedIndex {
    let reject: (error: Error) => void = () => {}
    const failed = new Promise<never>((_, rejectIt) => {
      reject = rejectIt
    })
    // Told to whoever waits for an answer then; often that is nobody.
    failed.catch(() => {})
    const fail = (error: Error) => {
      worker.end()
      this.#opened = undefined
      reject(error)
    }
    return { worker, fingerprints: new Map(), failed, fail }
  }

  async #send(opened: OpenedIndex, tools: readonly IndexedTool[]): Promise<void> {
    const { worker, fingerprints } = opened
    const wanted = new Map(tools.toReversed().map((tool) => [tool.definition.name, tool]))
    const changed = [...wanted].filter(([name, tool]) => fingerprints.get(name) !== versionOf(tool))
    for (let start = 0; start < changed.length; start += toolsPerMessage) {
      const some = changed.slice(start, start + toolsPerMessage)
      await this.#answer(opened, worker.face.bring(some.map(([, tool]) => sentPart(tool))))
      for (const [name, tool] of some) fingerprints.set(name, versionOf(tool))
    }
    const names = [...new Set(tools.map(({ definition }) => definition.name))]
    for (const name of fingerprints.keys()) if (!wanted.has(name)) fingerprints.delete(name)
    await this.#answer(opened, worker.face.update(names))
  }

  /** The worker's answer; but not longer than the time that it has, and only as long as it lives. */
  #answer<Answer>(opened: OpenedIndex, answer: Promise<Answer>): Promise<Answer> {
    const late = Symbol()
    const timely = within<Answer | typeof late>(answer, this.#timeoutMs, late).then((settled) => {
      if (settled !== late) return settled
      const error = new ToolWorkerError(
        `The worker of the tool index gave no answer within ${this.#timeoutMs} ms and was ended. ` +
          'The next call starts another; with very many tools, raise timeoutMs.',
        'load',
      )
      opened.fail(error)
      throw error
    })
    return Promise.race([timely, opened.failed])
  }
}

function versionOf({ fingerprint, namespace = '' }: IndexedTool): string {
  return `${fingerprint}\n${namespace}`
}

/** Only what an index reads: the rest of a definition may be large. */
function sentPart({ definition, fingerprint, namespace }: IndexedTool): IndexedTool {
  const { name, description, inputSchema, examples } = definition
  return {
    definition: { name, description, inputSchema, ...(examples && { examples }) },
    fingerprint,
    ...(namespace !== undefined && { namespace }),
  }
}

function closedError(): ToolWorkerError {
  return new ToolWorkerError('This tool index is closed: make a new one.', 'closed')
}
