import { checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import { once } from '../tool/once.ts'
import { byName } from '../toolset/by-name.ts'
import { gather, type ToolInput } from '../toolset/gather.ts'
import { checkPermissions, type ToolPermissions } from '../toolset/tool-permissions.ts'
import { isToolSource, type ListedTool, type ToolSource } from '../toolset/tool-source.ts'
import type { ConfirmHandler } from './approval.ts'
import type { ExecutionEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { visibleTools } from './find.ts'
import { checkMiddleware, type ToolMiddleware } from './middleware.ts'
import { runBatch } from './run-batch.ts'
import type { CallRequest, ToolResult } from './tool-result.ts'

/** What is fixed for all calls of an executor. */
export interface ToolExecutorOptions<Deps = unknown> {
  /** One source, or a list of tools, toolkits and sources. */
  readonly tools: ToolSource | readonly ToolInput<Deps>[]
  /** Asks the person. Absent: a call that needs approval is refused with a readable result. */
  readonly confirm?: ConfirmHandler | undefined
  /** Absent: every tool may run. */
  readonly permissions?: ToolPermissions | undefined
  /** The first is outermost. */
  readonly middleware?: readonly ToolMiddleware[]
  /** Deadline of a call whose tool sets none, in milliseconds. @default 60000 */
  readonly timeoutMs?: number
  /** Whether a call that fails aborts the others of its step. @default false */
  readonly failFast?: boolean
  /** Calls of one step beyond this many get a `limit` result. @default 32 */
  readonly maxCallsPerStep?: number
  /** Sentences for the model that replace the English ones. */
  readonly texts?: Partial<ModelTexts>
  /** Told everything that happens to calls, in order. */
  onEvent?(event: ExecutionEvent): void
}

/** The options that an agent hands on. */
export const sharedOptionNames: readonly string[] = [
  ...['tools', 'confirm', 'permissions', 'middleware', 'timeoutMs', 'failFast', 'texts'],
]

const optionNames = [...sharedOptionNames, 'maxCallsPerStep', 'onEvent']

/** What differs from call to call. */
export interface ExecuteOptions {
  readonly signal?: AbortSignal | undefined
  readonly deps?: unknown
  /** Replaces the executor's own. */
  readonly confirm?: ConfirmHandler | undefined
  /** Narrows further: a call must pass the executor's permissions and these. */
  readonly permissions?: ToolPermissions | undefined
  readonly runId?: string
  readonly step?: number
}

/** What an agent loop knows beside that. */
export interface StepOptions extends ExecuteOptions {
  /** The tools of the step; listed anew when absent. */
  readonly listed?: readonly ListedTool[]
  /** What is left of the run's `maxToolCalls`. */
  readonly callsLeft?: number
  readonly maxToolCalls?: number
  /** Why the message that holds the calls was cut off, if it was: none of them runs. */
  readonly cutOff?: string | undefined
  onEvent?(event: ExecutionEvent): void
}

/**
 * Runs calls through the gate, in one fixed order: find, permit, before, preflight, policy, approve,
 * execute, record. Whatever happens, each call gets exactly one result, and nothing but a mistake of the
 * developer (two tools of one name, a source that cannot be listed) rejects.
 */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions
  readonly #source: ToolSource
  readonly #texts: ModelTexts
  /** Stands for no signal. Middleware gets one of its own each time: it may listen and never stop. */
  readonly #never = new AbortController().signal

  constructor(options: ToolExecutorOptions<never>) {
    checkExecutorOptions(options, 'new ToolExecutor()')
    this.#options = options as ToolExecutorOptions
    this.#source = isToolSource(options.tools) ? options.tools : gather(options.tools, 'new ToolExecutor()')
    this.#texts = { ...modelTextsEn, ...options.texts }
  }

  /** The tools that calls may name now, permitted ones only. */
  async list(permissions?: ToolPermissions): Promise<readonly ListedTool[]> {
    return visibleTools(await this.#scope([], { permissions }))
  }

  /** Runs one call. */
  async execute(request: CallRequest, options: ExecuteOptions = {}): Promise<ToolResult> {
    const [result] = await this.executeStep([request], options)
    return result as ToolResult
  }

  /** Runs the calls of one step: parallel-safe ones together, the others alone, results in call order. */
  async executeStep(
    requests: readonly CallRequest[],
    options: StepOptions = {},
  ): Promise<readonly ToolResult[]> {
    const { maxCallsPerStep = 32, failFast = false } = this.#options
    const { callsLeft = Number.POSITIVE_INFINITY, maxToolCalls = callsLeft, cutOff } = options
    const limits = { maxCallsPerStep, failFast, callsLeft, maxToolCalls, cutOff }
    return runBatch(requests, await this.#scope(requests, options), limits)
  }

  /** Releases what the sources hold. */
  async close(): Promise<void> {
    await this.#source.close?.()
  }

  async #scope(requests: readonly CallRequest[], options: StepOptions): Promise<ExecutionScope> {
    const { permissions, middleware = [], timeoutMs = 60_000, confirm, onEvent } = this.#options
    const { signal = middleware.length > 0 ? new AbortController().signal : this.#never, deps } = options
    const { runId, step } = options
    checkPermissions(options.permissions, 'execute()')
    const listed = options.listed ?? (await this.#source.list())
    return {
      source: this.#source,
      // A list that cannot change is read once: a source may give it for every call.
      tools: Object.isFrozen(listed) ? byNameOnce(listed) : byNameAnew(listed),
      permissions: [permissions, options.permissions].filter((each) => each !== undefined),
      confirm: 'confirm' in options ? options.confirm : confirm,
      middleware,
      texts: this.#texts,
      timeoutMs,
      signal,
      deps,
      runId,
      step,
      // All calls of a step are checked before any runs, and `wrap` only ever sees checked ones. With a single
      // call and no such middleware nobody can tell when the check is made.
      mayLeaveCheck: requests.length === 1 && middleware.every(({ wrap }) => wrap === undefined),
      emit: (event) => {
        tell(onEvent, event)
        tell(options.onEvent, event)
      },
    }
  }
}

const byNameAnew = (listed: readonly ListedTool[]): ReadonlyMap<string, ListedTool> =>
  byName(listed, 'Two tools of a source')
const byNameOnce = once(byNameAnew)

/** Throws a {@link ToolRegistrationError} for options that cannot work. */
export function checkExecutorOptions(options: ToolExecutorOptions<never>, where: string): void {
  checkOptions(options, optionNames, where)
  checkPermissions(options.permissions, where)
  checkMiddleware(options.middleware, where)
  if (options.confirm !== undefined && typeof options.confirm !== 'function') {
    throw new ToolRegistrationError(`${where}, confirm: expected a function, for example confirmDialog().`)
  }
  if (options.texts !== undefined) checkOptions(options.texts, Object.keys(modelTextsEn), `${where}, texts`)
  checkMilliseconds(options.timeoutMs, 'timeoutMs', where)
}

// A listener of the app that throws must not end a call; its error still reaches the app's error handling.
function tell(listener: ((event: ExecutionEvent) => void) | undefined, event: ExecutionEvent): void {
  try {
    listener?.(event)
  } catch (error) {
    setTimeout(() => {
      throw error
    })
  }
}
