import { expose } from 'comlink'
import { type LinkedAbort, linkedAbort } from '../tool/abort.ts'
import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { findUncloneable } from '../tool/cloneable.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { isStringList } from '../tool/value-kinds.ts'
import { gather, type ToolInput } from '../toolset/gather.ts'
import { closeMade, sourceForStep } from '../toolset/source-instance.ts'
import {
  type CallStart,
  isToolSource,
  type SourceCallOptions,
  type ToolSource,
} from '../toolset/tool-source.ts'
import { cloneableOutcome, uncloneableError } from './cloneable-outcome.ts'
import { manifestOf } from './manifest.ts'
import {
  type Crash,
  isOurMessage,
  protocolVersion,
  type StepList,
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
 * @throws {@link ToolRegistrationError} when two tools share a name, when it is not called in a worker, or
 * when it is called twice.
 * @example
 * // tools.worker.ts
 * export const tools = [resizeImage, countWords]
 * serveTools(tools)
 */
export function serveTools(tools: ToolSource | readonly ToolInput<never>[]): void {
  const scope = workerScope()
  if (serving !== undefined) throw serving.refuseSecond()
  const source = isToolSource(tools) ? tools : gather(tools, 'serveTools()')
  const face = new ToolWorker(source, scope)
  serving = face
  scope.addEventListener('message', ({ data }) => {
    if (isOurMessage(data) && data.type === 'abort') face.abort(data.jobId, data.reason, data.message)
  })
  // Only these methods: Comlink would expose the whole object.
  expose({
    preflight: (name, input, options) => face.preflight(name, input, options),
    call: (name, input, options) => face.call(name, input, options),
    checkedCall: (name, input, options) => face.checkedCall(name, input, options),
    listStep: (_name, capabilities, options) => face.listStep(capabilities, options),
  } satisfies WorkerFace)
  void face.announce()
}

let serving: ToolWorker | undefined

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

/** Something that the page asked for. */
interface Job {
  readonly id: string
  readonly sentAt: number
  readonly options: SourceCallOptions
  readonly controller: LinkedAbort
}

class ToolWorker {
  readonly #source: ToolSource
  readonly #scope: WorkerScope
  readonly #jobs = new Map<string, LinkedAbort>()
  #refused: ToolRegistrationError | undefined

  constructor(source: ToolSource, scope: WorkerScope) {
    this.#source = source
    this.#scope = scope
  }

  async announce(): Promise<void> {
    try {
      const tools = await manifestOf(this.#source)
      if (this.#refused !== undefined) throw this.#refused
      this.#post({ offstage: protocolVersion, type: 'ready', tools })
    } catch (error) {
      this.#post({ offstage: protocolVersion, type: 'load-failed', error: errorToData(error) })
    }
  }

  /** With two answers to each message the first would win, and it may be the one that lacks the tool. */
  refuseSecond(): ToolRegistrationError {
    this.#refused = new ToolRegistrationError(
      'serveTools() was called twice in one worker. Call it once, with all tools in one list.',
    )
    return this.#refused
  }

  preflight(name: string, input: unknown, options: WireCallOptions): Promise<Preflight> {
    return this.#job(name, options, (job) => this.#check(name, input, job))
  }

  call(name: string, input: unknown, options: WireCallOptions): Promise<CallOutcome> {
    return this.#job(name, options, (job) => this.#run(name, input, job))
  }

  checkedCall(name: string, input: unknown, options: WireCallOptions): Promise<CallOutcome> {
    return this.#job<CallOutcome>(name, options, async (job) => {
      const answer = await this.#check(name, input, job)
      if (answer.kind !== 'ready') return { kind: 'not-ready', answer }
      if (answer.needsApproval && options.approval === undefined) return { kind: 'not-ready', answer }
      return this.#run(name, answer.input, job)
    })
  }

  listStep(capabilities: unknown, options: WireCallOptions): Promise<StepList | Crash> {
    const name = 'the tools of a step'
    return this.#job(name, options, async ({ options: { runId, step, deps } }) => {
      const able = isStringList(capabilities) ? { capabilities } : {}
      const ofStep = await sourceForStep(this.#source, { deps, ...defined({ runId, step }), ...able })
      try {
        return { kind: 'listed', definitions: (await ofStep.list()).map(({ definition }) => definition) }
      } finally {
        await closeMade(ofStep, this.#source)
      }
    })
  }

  abort(jobId: string, reason: string, message: string): void {
    this.#jobs.get(jobId)?.abort(new DOMException(message, reason))
  }

  async #check(name: string, input: unknown, { options, controller }: Job): Promise<Preflight> {
    const answer = await this.#source.preflight(name, input, options)
    // The page was told already; a check that listens can end its own work.
    if (answer.kind === 'timeout') controller.abort(new DOMException('the check is late', 'TimeoutError'))
    return answer
  }

  async #run(name: string, input: unknown, { id, sentAt, options }: Job): Promise<CallOutcome> {
    if (isLate(sentAt)) await nextTask()
    if (options.signal?.aborted) return { kind: 'stopped', mayHaveRun: false }
    const onStart = ({ at }: CallStart) =>
      this.#post({ offstage: protocolVersion, type: 'started', jobId: id, at })
    // A source that does not report its starts has started by being called.
    if (!this.#source.reportsStart) onStart({ at: now() })
    const started = this.#source.reportsStart ? { onStart } : {}
    const outcome = await this.#source.call(name, input, { ...options, ...started, checked: true })
    return cloneableOutcome(name, outcome)
  }

  async #job<T>(name: string, options: WireCallOptions, run: (job: Job) => Promise<T>): Promise<T | Crash> {
    const { jobId, sentAt, ...rest } = options
    const controller = linkedAbort(undefined)
    this.#jobs.set(jobId, controller)
    try {
      const callOptions: SourceCallOptions = {
        ...rest,
        signal: controller.signal,
        onProgress: (value) =>
          this.#send(
            { offstage: protocolVersion, type: 'progress', jobId, value },
            value,
            `${name}: progress value`,
          ),
        onLog: (entry) =>
          this.#send(
            { offstage: protocolVersion, type: 'log', jobId, entry },
            entry.data,
            `${name}: log data`,
          ),
      }
      return await run({ id: jobId, sentAt, options: callOptions, controller })
    } catch (error) {
      return { kind: 'crash', error: errorToData(error) }
    } finally {
      this.#jobs.delete(jobId)
    }
  }

  // Thrown into the tool, at the line that reports.
  #send(message: WorkerMessage, value: unknown, what: string): void {
    try {
      this.#post(message)
    } catch {
      throw uncloneableError(what, findUncloneable(value, { classInstances: 'keep-fields' }))
    }
  }

  #post(message: WorkerMessage): void {
    this.#scope.postMessage(message)
  }
}

/** A message that waited for longer than this met a busy worker. In milliseconds. */
const lateMs = 5

// The clocks of page and worker drift apart when the system's is set; a negative wait proves nothing.
function isLate(sentAt: number): boolean {
  const waitedMs = now() - sentAt
  return waitedMs < 0 || waitedMs > lateMs
}

let port: MessagePort | undefined
const waiting: (() => void)[] = []

/**
 * Lets messages that are queued already be handled first: a call that was withdrawn while this worker was
 * busy has its abort message right behind it, and must not start. Each call gets a task of its own, so that
 * one which then blocks the worker does so before the next one counts as started.
 */
function nextTask(): Promise<void> {
  if (port === undefined) {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => waiting.shift()?.()
    port = port2
  }
  port.postMessage(undefined)
  return new Promise((resolve) => waiting.push(resolve))
}
