import { checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import { gather, type ToolInput } from '../toolset/gather.ts'
import { checkPermissions, type ToolPermissions } from '../toolset/tool-permissions.ts'
import { isToolSource, type ListedTool, type ToolSource } from '../toolset/tool-source.ts'
import type { ConfirmHandler } from './approval.ts'
import type { ExecutionEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { visibleTools } from './find.ts'
import { checkMiddleware, type ToolMiddleware } from './middleware.ts'
import { type BatchLimits, runBatch } from './run-batch.ts'
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

const optionNames = [
  'tools',
  'confirm',
  'permissions',
  'middleware',
  'timeoutMs',
  'failFast',
  'maxCallsPerStep',
  'texts',
  'onEvent',
]

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

  constructor(options: ToolExecutorOptions<never>) {
    checkExecutorOptions(options, 'new ToolExecutor()')
    this.#options = options as ToolExecutorOptions
    this.#source = isToolSource(options.tools) ? options.tools : gather(options.tools, 'new ToolExecutor()')
    this.#texts = { ...modelTextsEn, ...options.texts }
  }

  /** The tools that calls may name now, permitted ones only. */
  async list(permissions?: ToolPermissions): Promise<readonly ListedTool[]> {
    const scope = await this.#scope({ permissions })
    return visibleTools(scope)
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
    const limits: BatchLimits = {
      maxCallsPerStep: this.#options.maxCallsPerStep ?? 32,
      callsLeft: options.callsLeft ?? Number.POSITIVE_INFINITY,
      maxToolCalls: options.maxToolCalls ?? Number.POSITIVE_INFINITY,
      failFast: this.#options.failFast ?? false,
      cutOff: options.cutOff,
    }
    const scope = await this.#scope(options)
    return runBatch(requests, { ...scope, mayLeaveCheck: mayLeaveCheck(requests, scope) }, limits)
  }

  /** Releases what the sources hold. */
  async close(): Promise<void> {
    await this.#source.close?.()
  }

  async #scope(options: StepOptions): Promise<ExecutionScope> {
    const listed = options.listed ?? (await this.#source.list())
    const { permissions, middleware, timeoutMs } = this.#options
    if (options.permissions !== undefined) checkPermissions(options.permissions, 'execute()')
    return {
      source: this.#source,
      tools: byName(listed),
      permissions: [permissions, options.permissions].filter((each) => each !== undefined),
      confirm: 'confirm' in options ? options.confirm : this.#options.confirm,
      middleware: middleware ?? [],
      texts: this.#texts,
      timeoutMs: timeoutMs ?? 60_000,
      signal: options.signal ?? new AbortController().signal,
      deps: options.deps,
      runId: options.runId,
      step: options.step,
      mayLeaveCheck: false,
      emit: (event) => {
        tell(this.#options.onEvent, event)
        tell(options.onEvent, event)
      },
    }
  }
}

/** Throws a {@link ToolRegistrationError} for options that cannot work. */
export function checkExecutorOptions(options: ToolExecutorOptions<never>, where: string): void {
  checkOptions(options, optionNames, where)
  if (options.tools === undefined) {
    throw new ToolRegistrationError(`${where}: there are no tools. Pass tools: [ … ] or a source.`)
  }
  if (options.permissions !== undefined) checkPermissions(options.permissions, where)
  if (options.middleware !== undefined) checkMiddleware(options.middleware, where)
  if (options.confirm !== undefined && typeof options.confirm !== 'function') {
    throw new ToolRegistrationError(`${where}, confirm: expected a function, for example confirmDialog().`)
  }
  if (options.texts !== undefined) checkOptions(options.texts, Object.keys(modelTextsEn), `${where}, texts`)
  checkMilliseconds(options.timeoutMs, 'timeoutMs', where)
}

/**
 * All calls of a step are checked before any runs, and `wrap` only ever sees checked ones. With a single call
 * and no such middleware nobody can tell when the check is made.
 */
function mayLeaveCheck(requests: readonly CallRequest[], { middleware }: ExecutionScope): boolean {
  return requests.length === 1 && middleware.every(({ wrap }) => wrap === undefined)
}

const maps = new WeakMap<readonly ListedTool[], ReadonlyMap<string, ListedTool>>()

/** The tools of a list by name. A list that cannot change is read once: a source may give it for every call. */
function byName(listed: readonly ListedTool[]): ReadonlyMap<string, ListedTool> {
  const known = maps.get(listed)
  if (known !== undefined) return known
  const tools = new Map<string, ListedTool>()
  for (const tool of listed) {
    const { name } = tool.definition
    if (tools.has(name))
      throw new ToolRegistrationError(`A tool source lists two tools named "${name}". Rename one of them.`)
    tools.set(name, tool)
  }
  if (Object.isFrozen(listed)) maps.set(listed, tools)
  return tools
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
