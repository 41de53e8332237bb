import { linkedAbort, type Stop } from '../tool/abort.ts'
import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { errorToData } from '../tool/error-data.ts'
import { untilGivenUp } from '../tool/time-limit.ts'
import type { Settlement } from '../tool/tool-result.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import type { CallStart } from '../toolset/tool-source.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { defer, type Pass } from './pass.ts'
import { deferral, pendingCall } from './pending.ts'
import { sourceOptions } from './preflight.ts'
import { type PreparedCall, toolCall } from './prepare-call.ts'
import { failure } from './settle.ts'
import { notReady, settleOutcome, settleStopped } from './settle-outcome.ts'

/** A source that is told to stop and does not settle is given up after this long. In milliseconds. */
const lastResortMs = 2_000

/**
 * Has the source run a call, under its deadline and the run's signal, and always settles. The clock starts when the
 * tool does: never while the call waits for a worker lane. A call whose worker was lost through no fault of its own
 * starts again, with a fresh clock.
 */
export function callSource(call: PreparedCall, pass: Pass, scope: ExecutionScope): MaybePromise<Settlement> {
  if (scope.journal === undefined || call.labels.effect === 'none') return runSource(call, pass, scope)
  return writeStart(call, scope).then((unwritten) => unwritten ?? runSource(call, pass, scope))
}

function runSource(call: PreparedCall, pass: Pass, scope: ExecutionScope): MaybePromise<Settlement> {
  const timeoutMs = call.listed.definition.timeoutMs ?? scope.timeoutMs
  if (scope.signal.aborted) {
    return settleStopped(call, { kind: 'stopped', mayHaveRun: false }, 'signal', false, timeoutMs, scope)
  }
  const linked = linkedAbort(scope.signal)
  // Of this start of the call: middleware may have started it before.
  let startedAt: number | undefined
  // While a tool is being started nothing can pass: its timer is set once it runs, which has it run sooner.
  let isStarting = true
  const begin = ({ at, lane }: CallStart) => {
    if (startedAt === undefined) announce(call, scope)
    startedAt = at
    if (!isStarting) linked.startDeadline(timeoutMs, 'the deadline')
    pass.call = call
    pass.startedAt ??= at
    pass.lane = lane
    const { input } = call
    const type = 'call-started'
    scope.emit?.(call.id, lane === undefined ? { type, input } : { type, input, lane })
  }
  const settle = (outcome: CallOutcome) => {
    linked.release()
    if (!linked.aborted) return settleReturned(call, outcome, pass, scope)
    const by = linked.deadlinePassed() ? 'deadline' : 'signal'
    return settleStopped(call, outcome, by, startedAt !== undefined, timeoutMs, scope)
  }
  const failed = (error: unknown) => settle(crashOf(error))
  try {
    const running = startCall(call, scope, linked, begin)
    isStarting = false
    if (startedAt !== undefined) linked.startDeadline(left(timeoutMs, startedAt), 'the deadline')
    const settling = scope.source.settlesSoon ? running : untilGivenUp(running, linked, lastResortMs)
    return settling.then(settle, failed)
  } catch (error) {
    return failed(error)
  }
}

function crashOf(error: unknown): CallOutcome {
  const data = errorToData(error)
  // A worker pool that cannot be opened rejects before anything ran.
  return { kind: 'crash', error: data, mayHaveRun: data.name !== 'ToolWorkerError' }
}

/** What is left of a time that began then. Whole, so that calls share their timer; most have spent nothing. */
function left(ms: number, since: number): number {
  return Math.max(0, ms - Math.floor(now() - since))
}

function startCall(
  call: PreparedCall,
  scope: ExecutionScope,
  stop: Stop,
  begin: (start: CallStart) => void,
): Promise<CallOutcome> {
  const { source } = scope
  const options = sourceOptions(call, scope, stop)
  options.checked = call.unchecked === undefined
  if (scope.emit !== undefined) {
    options.onProgress = (value) => scope.emit?.(call.id, { type: 'progress', value })
    options.onLog = (entry) => scope.emit?.(call.id, { type: 'log', entry })
  }
  // A source that does not report its starts has started by being called.
  if (source.reportsStart) options.onStart = begin
  else begin({ at: now() })
  return source.call(call.name, call.input, options)
}

/** The ending that an outcome of the source stands for. */
function settleReturned(
  call: PreparedCall,
  outcome: CallOutcome,
  pass: Pass,
  scope: ExecutionScope,
): MaybePromise<Settlement> {
  if (outcome.kind === 'not-ready') return leftCheck(call, outcome.answer, pass, scope)
  if (outcome.kind === 'deferred') {
    const asking = pendingCall(call, 'external', outcome.metadata)
    return asking.then((pending) => deferral(call.name, scope, pending))
  }
  if (outcome.kind !== 'approval') return settleOutcome(call, outcome, scope)
  if (call.approval !== undefined) return failure('denied', scope.texts.askedTwice(call.name))
  return defer(pass, asking(call, { ...outcome, reasons: outcome.reasons ?? [outcome.reason] }), scope)
}

/** Writes down that a call with an effect starts; the ending of the call when that fails. */
async function writeStart(call: PreparedCall, scope: ExecutionScope): Promise<Settlement | undefined> {
  try {
    await scope.journal?.starting(call.id)
    return undefined
  } catch (error) {
    return failure('error', scope.texts.notJournalled(call.name, errorToData(error).message), 'journal')
  }
}

/** A call is told of once it was checked: here, when the check was left to the call itself. */
function announce(call: PreparedCall, scope: ExecutionScope): void {
  if (call.unchecked !== undefined) scope.emit?.(call.id, { type: 'call', call: toolCall(call) })
}

/** What becomes of a call whose own check did not let it start. */
function leftCheck(call: PreparedCall, answer: Preflight, pass: Pass, scope: ExecutionScope): Settlement {
  if (answer.kind === 'fields') return failure('error', scope.texts.nobodyToAsk(call.name))
  if (answer.kind !== 'ready') {
    pass.call = { ...call, proposedInput: call.unchecked ?? call.proposedInput, droppedKeys: [] }
    return notReady(call.name, answer, scope)
  }
  announce(call, scope)
  return defer(pass, asking(call, answer), scope)
}

/** The call, checked by now, with a question to the person. */
function asking(
  { unchecked: _done, ...call }: PreparedCall,
  { reasons, change, boundTo }: Pick<Extract<Preflight, { kind: 'ready' }>, 'reasons' | 'change' | 'boundTo'>,
): PreparedCall {
  return { ...call, decision: { kind: 'confirm', reasons, change, boundTo } }
}
