import { expose, transfer as moveBuffers } from 'comlink'
import type { CallOutcome } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { findUncloneable } from '../tool/cloneable.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolError, ToolRegistrationError } from '../tool/errors.ts'
import { transfersOf } from '../tool/transfer.ts'
import { gather, type ToolInput } from '../toolset/gather.ts'
import { isToolSource, type SourceCallOptions, type ToolSource } from '../toolset/tool-source.ts'
import {
  isOurMessage,
  protocolVersion,
  type WireCallOptions,
  type WorkerFace,
  type WorkerMessage,
} from './protocol.ts'

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  postMessage(message: unknown): void
  addEventListener(type: string, listener: (event: { data?: unknown; reason?: unknown }) => void): void
}

/**
 * Serves tools from a worker file; the only call such a file needs. Pass tools, toolkits or sources
 * (`registry.toolset()`), and export the list for the types of `WorkerToolset<typeof tools>`.
 *
 * @throws {@link ToolRegistrationError} when two tools share a name, or when it is not called in a worker.
 * @example
 * // tools.worker.ts
 * export const tools = [resizeImage, countWords]
 * serveTools(tools)
 */
export function serveTools(tools: ToolSource | readonly ToolInput<never>[]): void {
  const scope = workerScope()
  const source = isToolSource(tools) ? tools : gather(tools, 'serveTools()')
  const face = new ToolWorker(source, scope)
  scope.addEventListener('message', ({ data }) => {
    if (isOurMessage(data) && data.type === 'abort') face.abort(data.jobId, data.reason, data.message)
  })
  // Only the two methods: Comlink would expose the whole object.
  expose({
    preflight: (name, input, options) => face.preflight(name, input, options),
    call: (name, input, options) => face.call(name, input, options),
  } satisfies WorkerFace)
  void face.announce()
}

function workerScope(): WorkerScope {
  const scope = globalThis as unknown as Partial<WorkerScope> & { document?: unknown }
  if (scope.document !== undefined || typeof scope.postMessage !== 'function') {
    throw new ToolRegistrationError(
      'serveTools() belongs into a worker file. On the page open that file with ' +
        "new WorkerToolset(() => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' })).",
    )
  }
  return scope as WorkerScope
}

class ToolWorker {
  readonly #source: ToolSource
  readonly #scope: WorkerScope
  readonly #jobs = new Map<string, AbortController>()

  constructor(source: ToolSource, scope: WorkerScope) {
    this.#source = source
    this.#scope = scope
  }

  async announce(): Promise<void> {
    try {
      const tools = (await this.#source.list()).map(({ definition, fingerprint }) => ({
        definition,
        fingerprint,
      }))
      this.#post({ offstage: protocolVersion, type: 'ready', tools })
    } catch (error) {
      this.#post({ offstage: protocolVersion, type: 'load-failed', error: errorToData(error) })
    }
  }

  preflight(name: string, input: unknown, options: WireCallOptions): ReturnType<WorkerFace['preflight']> {
    return this.#job(options, (callOptions) => {
      this.#started(options.jobId, now())
      return this.#source.preflight(name, input, callOptions)
    })
  }

  async call(name: string, input: unknown, options: WireCallOptions): Promise<CallOutcome> {
    const outcome = await this.#job<CallOutcome>(options, async (callOptions, signal) => {
      await nextTask()
      if (signal.aborted) return { kind: 'stopped', mayHaveRun: false }
      return this.#source.call(name, input, {
        ...callOptions,
        onStart: ({ at }) => this.#started(options.jobId, at),
      })
    })
    return cloneableOutcome(name, outcome)
  }

  abort(jobId: string, reason: string, message: string): void {
    this.#jobs.get(jobId)?.abort(new DOMException(message, reason))
  }

  async #job<T>(
    options: WireCallOptions,
    run: (callOptions: SourceCallOptions, signal: AbortSignal) => Promise<T>,
  ): Promise<T | { readonly kind: 'crash'; readonly error: ReturnType<typeof errorToData> }> {
    const { jobId, ...rest } = options
    const controller = new AbortController()
    this.#jobs.set(jobId, controller)
    try {
      const callOptions: SourceCallOptions = {
        ...rest,
        signal: controller.signal,
        onProgress: (value) =>
          this.#send({ offstage: protocolVersion, type: 'progress', jobId, value }, value, 'progress value'),
        onLog: (entry) =>
          this.#send({ offstage: protocolVersion, type: 'log', jobId, entry }, entry.data, 'log data'),
      }
      return await run(callOptions, controller.signal)
    } catch (error) {
      return { kind: 'crash', error: errorToData(error) }
    } finally {
      this.#jobs.delete(jobId)
    }
  }

  #started(jobId: string, at: number): void {
    this.#post({ offstage: protocolVersion, type: 'started', jobId, at })
  }

  // Thrown into the tool, at the line that reports.
  #send(message: WorkerMessage, value: unknown, what: string): void {
    try {
      this.#post(message)
    } catch {
      throw uncloneableError(what, value)
    }
  }

  #post(message: WorkerMessage): void {
    this.#scope.postMessage(message)
  }
}

/**
 * Lets messages that are queued already be handled first: a call that was withdrawn while this worker was
 * busy has its abort message right behind it, and must not start.
 */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}

function cloneableOutcome(name: string, outcome: CallOutcome): CallOutcome {
  if (outcome.kind !== 'response') return outcome
  const { response } = outcome
  const found = findUncloneable(response, { classInstances: 'keep-fields' })
  if (found !== undefined) {
    const error = uncloneableError(
      `${name}: result`,
      response.data,
      found.path.replace(/^data\.?/, ''),
      found.what,
    )
    return { kind: 'crash', error: errorToData(error) }
  }
  const buffers = transfersOf(response.data)
  return buffers.length === 0 ? outcome : moveBuffers(outcome, [...buffers])
}

function uncloneableError(what: string, value: unknown, path?: string, kind?: string): ToolError {
  const found =
    path === undefined ? findUncloneable(value, { classInstances: 'keep-fields' }) : { path, what: kind }
  const place =
    found === undefined ? '' : ` (${found.path === '' ? 'it' : `"${found.path}"`} is ${found.what})`
  return new ToolError(`${what} cannot be cloned out of the worker${place}; use plain data there`, {
    code: 'uncloneable',
  })
}
