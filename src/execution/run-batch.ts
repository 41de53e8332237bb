import { linkedAbort } from '../tool/abort.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { randomId } from '../tool/random-id.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { admit, isPrepared, refusal } from './admit.ts'
import type { CallEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { pendingCall } from './pending.ts'
import { type EndedCall, type OpenCall, type PreparedCall, prepareCall, toolCall } from './prepare-call.ts'
import { record } from './record.ts'
import { schedule } from './schedule.ts'
import { failure } from './settle.ts'
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
export async function runBatch(
  calls: readonly StepCall[],
  outer: ExecutionScope,
  limits: BatchLimits,
): Promise<ToolResult[]> {
  const own = limits.failFast ? linkedAbort(outer.signal) : undefined
  const scope = own ? { ...outer, signal: own.signal } : outer
  const settle = async (ended: EndedCall): Promise<ToolResult> => {
    const stoppedBySibling = scope.signal.aborted && !outer.signal.aborted
    const result = record(stoppedBySibling ? tellSibling(ended, outer.texts) : ended, scope)
    if (result.outcome === 'error' || result.outcome === 'timeout') own?.abort()
    if (scope.journal !== undefined) await scope.journal.settled(result)
    return result
  }
  try {
    const gated = await Promise.all(calls.map((call, index) => passGates(call, index, limits, scope)))
    const admitted = admit(gated, calls, scope)
    for (const call of admitted) {
      if (isPrepared(call) && call.unchecked === undefined) call.emit({ type: 'call', call: toolCall(call) })
    }
    if (scope.journal !== undefined) await writeOpened(admitted, scope)
    const results = await schedule(admitted, scope, settle)
    const stoppedBySibling = own?.signal.aborted === true && !outer.signal.aborted
    return stoppedBySibling ? await endWaiting(results, admitted, scope.texts, settle) : results
  } finally {
    own?.release()
  }
}

/** Brings one call through the gates, or back from where it stood. */
async function passGates(
  { request, opened }: StepCall,
  index: number,
  limits: BatchLimits,
  scope: ExecutionScope,
): Promise<GatedCall> {
  if (opened?.result !== undefined) return opened.result
  const id = opened?.id ?? randomId('call')
  const emit = (event: CallEvent) => scope.emit({ ...event, callId: id, at: now() })
  const call: Omit<OpenCall, 'proposedInput'> = defined({
    id,
    providerId: request.providerId,
    name: String(request.name),
    emit,
  })
  const refused = opened?.settlement ?? (opened ? undefined : refusal(call.name, index, limits, scope))
  const gated = await prepareCall(call, request.input, scope, refused)
  return isPrepared(gated) && opened !== undefined ? bindAnswer(gated, opened, scope) : gated
}

/** Ends the calls that wait for an answer in a step that a sibling has ended. */
function endWaiting(
  results: readonly ToolResult[],
  calls: readonly GatedCall[],
  texts: ModelTexts,
  settle: (ended: EndedCall) => Promise<ToolResult>,
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
