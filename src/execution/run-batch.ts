import { linkedAbort } from '../tool/abort.ts'
import { defined } from '../tool/defined.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import { randomId } from '../tool/random-id.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { isPromise, type MaybePromise, whenDone } from '../tool/when-done.ts'
import { admit, isPrepared, refusal } from './admit.ts'
import { approve } from './approval.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { finished } from './finished.ts'
import { pendingCall } from './pending.ts'
import { type EndedCall, type PreparedCall, prepareCall, toolCall } from './prepare-call.ts'
import { schedule } from './schedule.ts'
import { failure, isSettlement } from './settle.ts'
import { bindAnswer, type StepCall } from './step-call.ts'

/** How many calls of a step may run. */
export interface BatchLimits {
  /** Calls beyond this many get a `limit` result. */
  readonly maxCallsPerStep: number
  /** Whether a call that fails aborts the others of its step. */
  readonly failFast: boolean
  /** Set when the message was cut off: no call of it runs. */
  readonly cutOff: string | undefined
}

/** A call as far as it came before anything ran: over already, or ready. */
export type GatedCall = PreparedCall | EndedCall | ToolResult

/**
 * Runs the calls of one step: all of them pass the gates before any runs; parallel-safe calls run together;
 * any other call waits for all before it and runs alone. One result per call, in call order; one with the
 * outcome `deferred` waits for an answer, or for a call that does.
 */
export function runBatch(
  calls: readonly StepCall[],
  scope: ExecutionScope,
  limits: BatchLimits,
): MaybePromise<ToolResult[]> {
  if (limits.failFast) return runFailFast(calls, scope, limits)
  const settle = (ended: EndedCall) => whenDone(finished(ended, scope), (result) => kept(result, scope))
  return whenDone(openCalls(calls, limits, scope), (opened) => schedule(opened, scope, settle))
}

/** The same where a call that fails aborts the others. */
async function runFailFast(
  calls: readonly StepCall[],
  outer: ExecutionScope,
  limits: BatchLimits,
): Promise<ToolResult[]> {
  const own = linkedAbort(outer.signal)
  const scope = { ...outer, signal: own }
  const isStopped = () => own.aborted && !outer.signal.aborted
  const settle = (ended: EndedCall): MaybePromise<ToolResult> => {
    const told = isStopped() ? tellSibling(ended, outer.texts) : ended
    const { outcome } = told.settlement
    return whenDone(finished(told, scope), (result) => {
      if (outcome === 'error' || outcome === 'timeout') own.abort()
      return kept(result, scope)
    })
  }
  try {
    const opened = await openCalls(calls, limits, scope)
    const results = await schedule(opened, scope, settle)
    return isStopped() ? await endWaiting(results, opened, scope.texts, settle) : results
  } finally {
    own.release()
  }
}

/** Brings calls through the gates, tells of those that are ready, and writes all of them down. */
function openCalls(
  calls: readonly StepCall[],
  limits: BatchLimits,
  scope: ExecutionScope,
): MaybePromise<readonly GatedCall[]> {
  const passing = calls.map((call, index) => passGates(call, index, limits, scope))
  const gating = passing.some(isPromise) ? Promise.all(passing) : (passing as GatedCall[])
  return whenDone<GatedCall[], readonly GatedCall[]>(gating, (gated) => {
    const admitted = admit(gated, calls, scope)
    for (const call of admitted) {
      if (isPrepared(call) && call.unchecked === undefined && call.running === undefined)
        announce(call, scope)
    }
    return scope.journal === undefined ? admitted : writeOpened(admitted, scope).then(() => admitted)
  })
}

function kept(result: ToolResult, { journal }: ExecutionScope): MaybePromise<ToolResult> {
  return journal === undefined ? result : journal.settled(result).then(() => result)
}

/**
 * Brings one call through the gates ahead of the others of its step, and starts it when it changes nothing, nobody
 * has to be asked, and it shares no key with others. The caller sees to it that it is within all limits, and gives a scope
 * in which nobody is asked and nothing is written down: that is done where the whole step is run.
 */
export function startAhead(call: StepCall, scope: ExecutionScope): MaybePromise<GatedCall> {
  const limits = { maxCallsPerStep: 1, failFast: false, cutOff: undefined }
  return whenDone(passGates(call, 0, limits, scope), (gated) => startReady(gated, scope))
}

/**
 * The question that a call has to be asked about, as if nobody were there to be asked now; undefined when it would run,
 * or be refused, without one. Nothing is run.
 */
export async function questionOf(call: StepCall, scope: ExecutionScope): Promise<PendingCall | undefined> {
  const limits = { maxCallsPerStep: 1, failFast: false, cutOff: undefined }
  const gated = await passGates(call, 0, limits, scope)
  if (!isPrepared(gated)) return undefined
  const answered = await approve(gated, { ...scope, confirm: 'pause' })
  return isSettlement(answered) ? answered.pending : undefined
}

function startReady(gated: GatedCall, scope: ExecutionScope): GatedCall {
  if (!isPrepared(gated) || gated.decision.kind !== 'allow') return gated
  if (gated.labels.effect !== 'none' || gated.concurrencyKey !== undefined) return gated
  announce(gated, scope)
  const running = Promise.resolve(schedule([gated], scope, (ended) => finished(ended, scope)))
  return { ...gated, running: running.then(([result]) => result as ToolResult) }
}

function announce(call: PreparedCall, scope: ExecutionScope): void {
  scope.emit?.(call.id, { type: 'call', call: toolCall(call) })
}

/** Brings one call through the gates, or back from where it stood. */
function passGates(
  call: StepCall,
  index: number,
  limits: BatchLimits,
  scope: ExecutionScope,
): MaybePromise<GatedCall> {
  const { ahead } = call
  if (ahead === undefined) return passNow(call, index, limits, scope)
  // Of a message that was cut off, only what had started by then counts.
  return ahead.then((early) =>
    limits.cutOff === undefined || 'running' in early ? early : passNow(call, index, limits, scope),
  )
}

function passNow(
  { id: given, request, opened }: StepCall,
  index: number,
  limits: BatchLimits,
  scope: ExecutionScope,
): MaybePromise<GatedCall> {
  if (opened?.result !== undefined) return opened.result
  const id = opened?.id ?? given ?? randomId('call')
  const call = { id, providerId: request.providerId, name: String(request.name) }
  const refused = opened?.settlement ?? (opened ? undefined : refusal(call.name, index, limits, scope))
  const preparing = prepareCall(call, request.input, scope, refused)
  if (opened === undefined) return preparing
  return whenDone<GatedCall, GatedCall>(preparing, (gated) =>
    isPrepared(gated) ? bindAnswer(gated, opened, scope) : gated,
  )
}

/** Ends the calls that wait for an answer in a step that a sibling has ended. */
function endWaiting(
  results: readonly ToolResult[],
  calls: readonly GatedCall[],
  texts: ModelTexts,
  settle: (ended: EndedCall) => MaybePromise<ToolResult>,
): Promise<ToolResult[]> {
  return Promise.all(
    results.map(async (result, index) => {
      const call = calls[index]
      if (result.outcome !== 'deferred' || call === undefined || !isPrepared(call)) return result
      return settle({ settlement: failure('cancelled', texts.cancelled(call.name, false)), call })
    }),
  )
}

async function writeOpened(calls: readonly GatedCall[], scope: ExecutionScope): Promise<void> {
  const opened = calls.map(async (call) => {
    if ('response' in call) return { call: call.call, result: call }
    if (!isPrepared(call)) {
      const ended = toolCall(call.call)
      return { call: ended, result: { call: ended, ...call.settlement } }
    }
    const { decision } = call
    const asks = decision.kind !== 'allow' && call.answer === undefined
    const kind = decision.kind === 'fields' ? 'fields' : 'approval'
    return defined({ call: toolCall(call), pending: asks ? await pendingCall(call, kind) : undefined })
  })
  await scope.journal?.opened(await Promise.all(opened))
}

// A call that failFast stopped is told so; one that the whole run stopped is not.
function tellSibling(ended: EndedCall, texts: ModelTexts): EndedCall {
  if (ended.settlement.outcome !== 'cancelled') return ended
  // Whether it may have run stays said.
  const text = `${ended.settlement.response.text} ${texts.siblingFailed}`
  return { ...ended, settlement: failure('cancelled', text) }
}
