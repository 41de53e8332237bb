import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { StepContext } from '../tool/step-context.ts'
import { throwLater } from '../tool/throw-later.ts'
import type { Tool } from '../tool/tool.ts'
import { type ListedTool, listTool } from '../toolset/listed-tool.ts'
import type { SourceCallOptions, ToolSource } from '../toolset/tool-source.ts'
import { JobRunner } from './job-runner.ts'
import { closedError } from './load-error.ts'
import type { WorkerFactory } from './open-worker.ts'
import type { ManifestEntry } from './protocol.ts'
import { stepOfWorker } from './step-of-worker.ts'
import { uncheckedAnswer } from './unchecked-answer.ts'
import { WorkerPool } from './worker-pool.ts'

/** A call that is to stop must be over soon, whatever its tool does. In milliseconds. */
const maxGraceMs = 1_000

/** What {@link WorkerToolset} takes beside the factory. */
export interface WorkerToolsetOptions {
  /** Workers for parallel-safe calls. @default min(4, max(2, hardwareConcurrency - 1)) */
  readonly size?: number
  /** How long a worker may take to say it is ready, in milliseconds. @default 10000 */
  readonly readyTimeoutMs?: number
  /**
   * How long a tool may take to stop after its signal aborted, before its worker is ended, in milliseconds;
   * at most 1000. @default 100
   */
  readonly graceMs?: number
  /** Picks what worker tools see of the agent's `deps`; it must be cloneable plain data. @default nothing */
  deps?(deps: never): unknown
  /** Names of tools in the worker file that come from the library itself; all others get the origin `app`. */
  readonly builtins?: readonly string[]
}

/** Tools as a worker file exports them for their types. */
export type ServedTools = readonly Tool<never, never, string, unknown>[]

/** The names of served tools. */
export type ServedName<Tools extends ServedTools> = NonNullable<Tools[number]['~types']>['name']

/** What may be sent to a served tool. */
export type ServedInput<Tools extends ServedTools, Name> =
  string extends ServedName<Tools>
    ? unknown
    : NonNullable<Extract<Tools[number], { readonly '~types'?: { readonly name: Name } }>['~types']>['wire']

/** A call of a served tool: one of its names, with the input that belongs to it. */
export type ServedCall<Tools extends ServedTools> = {
  readonly [Name in ServedName<Tools>]: { readonly name: Name; readonly input: ServedInput<Tools, Name> }
}[ServedName<Tools>]

/**
 * A pool of tool workers as a source. Tools run off the main thread, parallel-safe ones at the same time,
 * and one that does not stop is ended with its worker. The constructor touches nothing; workers open with
 * `start()`, or with the first list or call.
 *
 * The worker file is the app's own and calls `serveTools(tools)`. Worker code is trusted as the app's own
 * code is; nothing of the page is exposed to it.
 *
 * @example
 * import type { tools } from './tools.worker.ts'
 * const workerTools = new WorkerToolset<typeof tools>(
 *   () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
 * )
 */
export class WorkerToolset<Tools extends ServedTools = ServedTools> implements ToolSource {
  /** A call may wait for a lane; its deadline counts from the worker's own word. */
  readonly reportsStart = true
  readonly #factory: WorkerFactory
  readonly #options: WorkerToolsetOptions
  readonly #listeners = new Set<() => void>()
  #runner: JobRunner | undefined
  #starting: Promise<void> | undefined
  #closed = false
  #listed: readonly ListedTool[] = []
  #perStep = false

  constructor(factory: WorkerFactory, options: WorkerToolsetOptions = {}) {
    checkWorkerOptions(factory, options)
    this.#factory = factory
    this.#options = options
  }

  /**
   * Opens the workers; opens them again after `close()`.
   *
   * @throws {@link ToolWorkerError} when they cannot be started, with what to check.
   */
  start(): Promise<void> {
    this.#closed = false
    this.#starting ??= this.#start()
    return this.#starting
  }

  /** @throws {@link ToolWorkerError} when the workers cannot be started or are closed. */
  async list(): Promise<readonly ListedTool[]> {
    await this.#ready()
    return this.#listed
  }

  /** @throws {@link ToolWorkerError} when the workers cannot be started or are closed. */
  async preflight<Name extends ServedName<Tools>>(
    name: Name,
    input: ServedInput<Tools, Name>,
    options: SourceCallOptions = {},
  ): Promise<Preflight> {
    const runner = await this.#ready()
    const tool = this.#find(name)
    if (tool === undefined) return gone(name)
    const { definition } = tool
    // Behind a busy lane the check would wait for the call on it, and the caller for a check is waiting now.
    const now = options.mayLeaveCheck && runner.pool.hasIdleLane
    return (now && uncheckedAnswer(definition, input)) || runner.preflight(definition, input, options)
  }

  /**
   * Runs a tool, without the gate: use an agent or a `ToolExecutor` for calls that a model asks for. An input
   * that was not `checked` is checked first, and a call that needs a person's yes does not run without it.
   *
   * @throws {@link ToolWorkerError} when the workers cannot be started or are closed. Whatever happens to
   * the call itself is an outcome.
   */
  async call<Name extends ServedName<Tools>>(
    name: Name,
    input: ServedInput<Tools, Name>,
    options: SourceCallOptions = {},
  ): Promise<CallOutcome> {
    const runner = await this.#ready()
    const tool = this.#find(name)
    if (options.root !== undefined && options.root !== tool) return gone(name)
    return tool === undefined ? gone(name) : runner.call(tool.definition, input, options)
  }

  /** The tools as their own `prepare` functions have them in one step: one message to a worker, if any has one. */
  async forStep(context: StepContext): Promise<ToolSource> {
    const runner = await this.#ready()
    return this.#perStep ? stepOfWorker(this, runner, context) : this
  }

  /** Whether the tools of the worker may differ from step to step. */
  get dynamic(): boolean {
    return this.#perStep
  }

  /** Calls `listener` when a newly opened worker offers other tools than the one before (hot reload). */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Ends the workers; open calls settle, later ones are refused until `start()`. */
  async close(): Promise<void> {
    this.#closed = true
    // Who opened it and closes it in the same breath (React's StrictMode does) wants to hear of neither.
    this.#starting?.catch(() => {})
    this.#starting = undefined
    this.#runner?.pool.close()
    this.#runner = undefined
  }

  async #start(): Promise<void> {
    const pool = new WorkerPool({
      factory: this.#factory,
      size: this.#options.size,
      readyTimeoutMs: this.#options.readyTimeoutMs ?? 10_000,
      onOpen: (tools) => this.#offer(tools),
    })
    const runner = new JobRunner(pool, this.#options)
    this.#runner = runner
    try {
      await pool.start()
    } catch (error) {
      // The next use tries again: the cause may be mended by then.
      if (this.#runner === runner) this.#starting = undefined
      throw error
    }
  }

  async #ready(): Promise<JobRunner> {
    if (this.#closed) throw closedError()
    await this.start()
    // It may have been closed in the same moment in which it opened.
    if (this.#closed || this.#runner === undefined) throw closedError()
    return this.#runner
  }

  #find(name: string): ListedTool | undefined {
    return this.#listed.find((tool) => tool.definition.name === name)
  }

  #offer(tools: readonly ManifestEntry[]): void {
    this.#perStep = tools.some(({ perStep }) => perStep)
    const before = this.#listed.map((tool) => tool.fingerprint).join()
    if (before === tools.map((tool) => tool.fingerprint).join()) return
    this.#listed = Object.freeze(
      tools.map(({ definition, fingerprint }) => {
        const origin = this.#options.builtins?.includes(definition.name) ? 'builtin' : 'app'
        return listTool(definition, fingerprint, origin)
      }),
    )
    for (const listener of this.#listeners) tell(listener)
  }
}

function gone(name: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message: `The tool "${name}" is not served by the worker.` }
}

// A listener of the app that throws must not cost the worker that just opened; its error stays an error.
function tell(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    throwLater(error)
  }
}

function checkWorkerOptions(factory: unknown, options: WorkerToolsetOptions): void {
  const where = 'new WorkerToolset()'
  if (typeof factory !== 'function') {
    throw new ToolRegistrationError(
      `${where}: pass a function that makes a worker: () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }). ` +
        'The URL must stand in your own file, so that bundlers find the worker.',
    )
  }
  checkOptions(options, ['size', 'readyTimeoutMs', 'graceMs', 'deps', 'builtins'], where)
  const { size } = options
  if (size !== undefined && !(Number.isInteger(size) && size >= 1 && size <= 64)) {
    throw new ToolRegistrationError(`${where}: size is ${String(size)}; give a whole number from 1 to 64.`)
  }
  checkMilliseconds(options.readyTimeoutMs, 'readyTimeoutMs', where)
  checkMilliseconds(options.graceMs, 'graceMs', where)
  if (options.graceMs !== undefined && options.graceMs > maxGraceMs) {
    throw new ToolRegistrationError(`${where}: graceMs is ${options.graceMs}; give at most ${maxGraceMs}.`)
  }
  if (options.deps !== undefined && typeof options.deps !== 'function') {
    throw new ToolRegistrationError(
      `${where}: deps picks what workers see, write deps: (deps) => ({ locale: deps.locale }).`,
    )
  }
}
