import { lendSignal, linkedAbort, stopOf, stopped, untilAborted } from '../tool/abort.ts'
import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import type { Checked } from '../tool/json-value.ts'
import { preflightTool } from '../tool/preflight-tool.ts'
import { randomId } from '../tool/random-id.ts'
import type { RunContext } from '../tool/run-context.ts'
import { runTool } from '../tool/run-tool.ts'
import { untilGivenUp, within } from '../tool/time-limit.ts'
import type { Tool } from '../tool/tool.ts'
import { originOf } from '../tool/tool-origin.ts'
import { isPromise, type MaybePromise, orElse } from '../tool/when-done.ts'
import type { Writable } from '../tool/writable.ts'
import type { SourceCallOptions } from './tool-source.ts'

/** After its signal aborted, a tool in this realm gets this long to settle. In milliseconds. */
const defaultGraceMs = 100

/** A check that has not answered by then is given up. In milliseconds. */
const preflightLimitMs = 3_000

/** Looks at a call of a tool of this realm; gives at once what nothing has to be waited for. */
export function preflightHere(
  tool: Tool,
  input: unknown,
  options: SourceCallOptions,
): Preflight | Promise<Preflight> {
  const checked = preflightTool(tool, input, () => contextFor(tool, options), options)
  return isPromise(checked) ? within(checked, preflightLimitMs, { kind: 'timeout' }) : checked
}

/** Runs a tool of this realm. One that ignores its signal cannot be ended here; its call settles all the same. */
export function callHere(tool: Tool, input: unknown, options: SourceCallOptions): Promise<CallOutcome> {
  if (options.checked !== false) return start(tool, input, options)
  const checked = check(tool, input)
  const run = (checked: Preflight | Checked<unknown>) => startChecked(tool, input, options, checked)
  if (!isPromise(checked)) return run(checked)
  const stop = stopOf(options)
  const answer = within<Preflight | Checked<unknown>>(checked, preflightLimitMs, { kind: 'timeout' })
  return (stop === undefined ? answer : untilAborted(answer, stop)).then((answer) =>
    answer === stopped ? { kind: 'stopped', mayHaveRun: false } : run(answer),
  )
}

/** The check that was left to the call: only the schema makes one. */
function check(tool: Tool, input: unknown): MaybePromise<Preflight | Checked<unknown>> {
  return orElse<Preflight | Checked<unknown>>(
    () => tool['~internals'].input.validate(input),
    (error) => ({ kind: 'crash', error: errorToData(error) }),
  )
}

function startChecked(
  tool: Tool,
  input: unknown,
  options: SourceCallOptions,
  checked: Preflight | Checked<unknown>,
): Promise<CallOutcome> {
  if ('kind' in checked) return Promise.resolve({ kind: 'not-ready', answer: checked })
  const { issues } = checked
  if (issues === undefined) return start(tool, input, options, checked)
  return Promise.resolve({ kind: 'not-ready', answer: { kind: 'invalid', issues } })
}

function start(
  tool: Tool,
  input: unknown,
  options: SourceCallOptions,
  ready?: Checked<unknown>,
): Promise<CallOutcome> {
  const stop = stopOf(options)
  if (stop?.aborted) return Promise.resolve({ kind: 'stopped', mayHaveRun: false })
  // An external tool has no body that could start: its answer comes later.
  if (!tool.definition.external) options.onStart?.({ at: now() })
  const running = runTool(tool, input, contextFor(tool, options), ready)
  const { graceMs = defaultGraceMs } = options
  return stop === undefined ? running : untilGivenUp(running, stop, graceMs)
}

/** What a tool of this realm is told about a call. */
function contextFor(tool: Tool, options: SourceCallOptions): RunContext {
  const { runId, step, approval, attempt = 1, maxRetries = 1 } = options
  // Made for each call: by hand it takes a fraction of what leaving out what is undefined does.
  const context: Writable<Omit<RunContext, 'signal'>> = {
    callId: options.callId ?? randomId('call'),
    toolName: tool.name,
    origin: originOf(tool),
    deps: options.deps,
    attempt,
    maxRetries,
    progress: (value) => options.onProgress?.(value),
    log: (message, data) => options.onLog?.(defined({ message, data })),
  }
  if (runId !== undefined) context.runId = runId
  if (step !== undefined) context.step = step
  if (approval !== undefined) context.approval = approval
  return lendSignal(context, stopOf(options) ?? linkedAbort(undefined))
}
