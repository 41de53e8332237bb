import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import type { Writable } from '../tool/writable.ts'
import { checkPermissions, type ToolPermissions } from '../toolset/tool-permissions.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import { CallTrail } from './call-trail.ts'
import type { StepOptions } from './execute-options.ts'
import type { ExecutionEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { ToolExecutorOptions } from './executor-options.ts'
import { type CallableTools, withOwnTools } from './own-tools.ts'
import type { Readers } from './parking.ts'
import { tellListener } from './tell-listener.ts'

/** What an executor has for all its calls. */
export interface ExecutorParts {
  readonly options: ToolExecutorOptions
  readonly source: ToolSource
  readonly texts: ModelTexts
  /** The executor's own permissions; each call's can only narrow them. */
  readonly rules: readonly ToolPermissions[]
  readonly readers: Readers
  trail: CallTrail | undefined
}

/** Stands for no signal. Middleware gets one of its own each time: it may listen and never stop. */
const never = new AbortController().signal

/**
 * Has something done with what the calls of one step share. Their tools are those of the agent's step, or those of a
 * source that is opened for this alone.
 */
export function inScope<T>(
  parts: ExecutorParts,
  callCount: number,
  options: StepOptions,
  use: (scope: ExecutionScope) => MaybePromise<T>,
): MaybePromise<T> {
  const { tools, permissions, deps, runId, step } = options
  if (tools !== undefined) return use(scopeOf(parts, callCount, options, tools))
  checkPermissions(permissions, 'execute()')
  const context: StepContext = { deps, ...defined({ runId, step }) }
  const reader = parts.readers.get(runId ?? '')
  return withOwnTools(parts.source, context, rulesFor(parts, permissions), (own) =>
    use(scopeOf(parts, callCount, options, reader?.addTo(own) ?? own)),
  )
}

function rulesFor(
  { rules }: ExecutorParts,
  further: ToolPermissions | undefined,
): readonly ToolPermissions[] {
  return further === undefined ? rules : [...rules, further]
}

function scopeOf(
  parts: ExecutorParts,
  callCount: number,
  options: StepOptions,
  { source, tools, heldBack }: CallableTools,
): ExecutionScope {
  const { options: fixed } = parts
  parts.trail ??= new CallTrail()
  const { middleware = [], timeoutMs = 60_000, maxRetries = 1, maxResultChars = 16_000 } = fixed
  const { confirm, grants, onEvent } = fixed
  const { signal = middleware.length > 0 ? new AbortController().signal : never } = options
  const { deps, runId, step, budget, journal } = options
  // Made for each step: member by member it takes a tenth of the memory that spread groups do.
  const scope: Writable<ExecutionScope> = {
    source,
    tools,
    heldBack,
    permissions: rulesFor(parts, options.permissions),
    confirm: 'confirm' in options ? options.confirm : confirm,
    grants,
    middleware,
    timeoutMs,
    maxRetries,
    maxResultChars,
    readers: parts.readers,
    resultStore: fixed.resultStore,
    keptFor: options.keptFor,
    budget,
    taint: options.taint,
    trustedTexts: options.trustedTexts,
    policy: fixed.policy,
    trustedHosts: fixed.trustedHosts,
    trail: parts.trail,
    journal,
    signal,
    deps,
    runId,
    step,
    texts: parts.texts,
    alwaysPermitted: fixed.alwaysPermitted,
    // All calls of a step are checked before any runs. With a single one nobody can tell when its check is made.
    mayLeaveCheck: callCount === 1,
  }
  if (onEvent !== undefined || options.onEvent !== undefined) {
    scope.emit = (callId, told, at) => {
      const event: ExecutionEvent = { ...told, callId, at: at ?? now() }
      tellListener(onEvent, event)
      tellListener(options.onEvent, event)
    }
  }
  return scope
}
