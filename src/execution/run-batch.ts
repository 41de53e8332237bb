import { linkedAbort } from '../tool/abort.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { randomId } from '../tool/random-id.ts'
import { approve } from './approval.ts'
import { execute } from './execute.ts'
import type { CallEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { type EndedCall, type OpenCall, type PreparedCall, prepareCall, toolCall } from './prepare-call.ts'
import { record } from './record.ts'
import { failure, isSettlement, unexpected } from './settle.ts'
import type { CallRequest, Settlement, ToolResult } from './tool-result.ts'

/** How many calls of a step may run. */
export interface BatchLimits {
  /** Calls beyond this many get a `limit` result. */
  readonly maxCallsPerStep: number
  /** What is left of the run's `maxToolCalls`; calls that passed the gates beyond it get a `limit` result. */
  readonly callsLeft: number
  readonly maxToolCalls: number
  /** Whether a call that fails aborts the others of its step. */
  readonly failFast: boolean
  /** Set when the message was cut off: no call of it runs. */
  readonly cutOff: string | undefined
}

/**
 * Runs the calls of one step: all of them pass the gates before any runs; parallel-safe calls run together;
 * any other call waits for all before it and runs alone. One result per call, in call order.
 */
export async function runBatch(
  requests: readonly CallRequest[],
  outer: ExecutionScope,
  limits: BatchLimits,
): Promise<ToolResult[]> {
  const own = limits.failFast ? linkedAbort(outer.signal) : undefined
  const scope = own ? { ...outer, signal: own.signal } : outer
  const settle = (ended: EndedCall): ToolResult => {
    const stoppedBySibling = scope.signal.aborted && !outer.signal.aborted
    const result = record(stoppedBySibling ? tellSibling(ended, outer.texts) : ended, scope)
    if (result.outcome === 'error' || result.outcome === 'timeout') own?.abort()
    return result
  }
  try {
    const prepared = await Promise.all(
      requests.map((request, index) => {
        const opened = openCall(request, scope)
        return prepareCall(opened, request.input, scope, refusal(opened.name, index, limits, scope.texts))
      }),
    )
    const admitted = admit(prepared, limits, scope.texts)
    for (const call of admitted) {
      if (isPrepared(call) && call.unchecked === undefined) call.emit({ type: 'call', call: toolCall(call) })
    }
    return await schedule(admitted, scope, settle)
  } finally {
    own?.release()
  }
}

function openCall(request: CallRequest, scope: ExecutionScope): Omit<OpenCall, 'proposedInput'> {
  const id = randomId('call')
  const emit = (event: CallEvent) => scope.emit({ ...event, callId: id, at: now() })
  return defined({ id, providerId: request.providerId, name: String(request.name), emit })
}

/** Why a call is refused whatever it asks for. */
function refusal(
  name: string,
  index: number,
  { cutOff, maxCallsPerStep }: BatchLimits,
  texts: ModelTexts,
): Settlement | undefined {
  if (cutOff !== undefined) return failure('cut-off', texts.cutOff(name, cutOff))
  return index < maxCallsPerStep ? undefined : failure('limit', texts.callLimit(name, maxCallsPerStep))
}

function admit(
  calls: readonly (PreparedCall | EndedCall)[],
  { callsLeft, maxToolCalls }: BatchLimits,
  texts: ModelTexts,
): (PreparedCall | EndedCall)[] {
  let left = callsLeft
  return calls.map((call) => {
    if (!isPrepared(call)) return call
    left -= 1
    return left >= 0 ? call : { settlement: failure('limit', texts.toolLimit(call.name, maxToolCalls)), call }
  })
}

function isPrepared(call: PreparedCall | EndedCall): call is PreparedCall {
  return 'decision' in call
}

function schedule(
  calls: readonly (PreparedCall | EndedCall)[],
  scope: ExecutionScope,
  settle: (ended: EndedCall) => ToolResult,
): Promise<ToolResult[]> {
  let barrier: Promise<unknown> | undefined
  let sinceBarrier: Promise<unknown>[] = []
  const lastOfKey = new Map<string, Promise<unknown>>()
  const results = calls.map(async (call): Promise<ToolResult> => {
    if (!isPrepared(call)) return settle(call)
    const { parallelSafe, name } = call.listed.definition
    // A call without a key shares its own with nobody.
    const key = call.concurrencyKey === undefined ? call.id : `${name} ${call.concurrencyKey}`
    const before = [barrier, lastOfKey.get(key), ...(parallelSafe ? [] : sinceBarrier)]
    // Everybody is asked at once; only the start waits its turn.
    const done = runInTurn(call, before, scope).then(settle)
    if (parallelSafe) sinceBarrier.push(done)
    else {
      barrier = done
      sinceBarrier = []
    }
    lastOfKey.set(key, done)
    return done
  })
  return Promise.all(results)
}

async function runInTurn(
  call: PreparedCall,
  before: readonly (Promise<unknown> | undefined)[],
  scope: ExecutionScope,
): Promise<EndedCall> {
  try {
    const [answer] = await Promise.all([approve(call, scope), ...before])
    return isSettlement(answer) ? { settlement: answer, call } : await execute(answer, scope)
  } catch (error) {
    return { settlement: unexpected(call.name, error), call }
  }
}

// A call that failFast stopped is told so; one that the whole run stopped is not.
function tellSibling(ended: EndedCall, texts: ModelTexts): EndedCall {
  if (ended.settlement.outcome !== 'cancelled') return ended
  return { ...ended, settlement: failure('cancelled', texts.siblingFailed(ended.call.name)) }
}
