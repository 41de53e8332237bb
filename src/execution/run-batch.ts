import { linkedController } from '../tool/abort.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { randomId } from '../tool/random-id.ts'
import { approve } from './approval.ts'
import { type Executed, execute } from './execute.ts'
import type { CallEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { ingest } from './ingest.ts'
import { type OpenCall, type PreparedCall, prepareCall, type RefusedCall } from './prepare-call.ts'
import { record, toolCall } from './record.ts'
import { failure, isSettlement } from './settle.ts'
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
  const own = limits.failFast ? linkedController(outer.signal) : undefined
  const scope: ExecutionScope = own === undefined ? outer : { ...outer, signal: own.controller.signal }
  try {
    const opened = requests.map((request) => openCall(request, scope))
    const prepared = await Promise.all(opened.map((open, index) => prepareWithin(open, index, scope, limits)))
    const admitted = admit(prepared, limits, scope)
    for (const call of admitted) {
      if (isPrepared(call) && call.unchecked === undefined) call.emit({ type: 'call', call: toolCall(call) })
    }
    const failedFirst = { seen: false }
    const settle = (index: number, ended: RefusedCall | Executed): ToolResult => {
      const result = record(opened[index] as OpenCall, sibling(ended, failedFirst.seen, outer), scope)
      if (own !== undefined && failed(result) && !failedFirst.seen) {
        failedFirst.seen = true
        own.controller.abort()
      }
      return result
    }
    return await schedule(admitted, scope, settle)
  } finally {
    own?.release()
  }
}

function openCall(request: CallRequest, scope: ExecutionScope): OpenCall {
  const id = randomId('call')
  const emit = (event: CallEvent) => scope.emit({ ...event, callId: id, at: now() })
  return { id, request, emit }
}

async function prepareWithin(
  open: OpenCall,
  index: number,
  scope: ExecutionScope,
  limits: BatchLimits,
): Promise<PreparedCall | RefusedCall> {
  const { texts } = scope
  const name = String(open.request.name)
  if (limits.cutOff !== undefined) {
    return refuse(open, failure('cut-off', 'cut-off', texts.cutOff(name, limits.cutOff)), scope)
  }
  if (index >= limits.maxCallsPerStep) {
    return refuse(open, failure('limit', 'limit', texts.callLimit(name, limits.maxCallsPerStep)), scope)
  }
  try {
    return await prepareCall(open, scope)
  } catch (error) {
    return refuse(open, unexpected(name, error), scope)
  }
}

// Every known way to fail is an ending already; one call's surprise must not cost its siblings theirs.
function unexpected(name: string, error: unknown): Settlement {
  const { message } = errorToData(error)
  return failure('error', 'tool-threw', `${name}: ${message}`)
}

function refuse(open: OpenCall, settlement: Settlement, scope: ExecutionScope): RefusedCall {
  const { name, providerId } = open.request
  const ingested = ingest(String(name), open.request.input, scope.texts)
  const input = isSettlement(ingested) ? {} : ingested.input
  const call = defined({ id: open.id, name: String(name), input, providerId })
  return { settlement, call }
}

function admit(
  calls: readonly (PreparedCall | RefusedCall)[],
  limits: BatchLimits,
  scope: ExecutionScope,
): (PreparedCall | RefusedCall)[] {
  let left = limits.callsLeft
  return calls.map((call) => {
    if (!isPrepared(call)) return call
    left -= 1
    if (left >= 0) return call
    const text = scope.texts.toolLimit(call.name, limits.maxToolCalls)
    return { settlement: failure('limit', 'limit', text), call: toolCall(call), origin: call.origin }
  })
}

function isPrepared(call: PreparedCall | RefusedCall): call is PreparedCall {
  return 'decision' in call
}

async function schedule(
  calls: readonly (PreparedCall | RefusedCall)[],
  scope: ExecutionScope,
  settle: (index: number, ended: RefusedCall | Executed) => ToolResult,
): Promise<ToolResult[]> {
  let barrier: Promise<unknown> = Promise.resolve()
  let sinceBarrier: Promise<unknown>[] = []
  const lastOfKey = new Map<string, Promise<unknown>>()
  const results = calls.map(async (call, index): Promise<ToolResult> => {
    if (!isPrepared(call)) return settle(index, call)
    const { parallelSafe, name } = call.listed.definition
    const key = call.concurrencyKey === undefined ? undefined : `${name} ${call.concurrencyKey}`
    const before: Promise<unknown>[] = parallelSafe ? [barrier] : [barrier, ...sinceBarrier]
    if (key !== undefined) before.push(lastOfKey.get(key) ?? Promise.resolve())
    // Everybody is asked at once; only the start waits its turn.
    const done = runInTurn(call, before, scope).then((ended) => settle(index, ended))
    if (parallelSafe) sinceBarrier.push(done)
    else {
      barrier = done
      sinceBarrier = []
    }
    if (key !== undefined) lastOfKey.set(key, done)
    return done
  })
  return Promise.all(results)
}

async function runInTurn(
  call: PreparedCall,
  before: readonly Promise<unknown>[],
  scope: ExecutionScope,
): Promise<Executed> {
  try {
    const [answer] = await Promise.all([approve(call, scope), ...before])
    if (answer.kind === 'settled') return { settlement: answer.settlement, call }
    return await execute(answer.call, scope)
  } catch (error) {
    return { settlement: unexpected(call.name, error), call }
  }
}

function failed(result: ToolResult): boolean {
  return result.outcome === 'error' || result.outcome === 'timeout'
}

// A sibling that failFast stopped is told so; one that the whole run stopped is not.
function sibling<Ended extends RefusedCall | Executed>(
  ended: Ended,
  stoppedBySibling: boolean,
  outer: ExecutionScope,
): Ended {
  if (!stoppedBySibling || outer.signal.aborted || ended.settlement.outcome !== 'cancelled') return ended
  const text = outer.texts.siblingFailed(ended.call.name)
  return { ...ended, settlement: failure('cancelled', 'cancelled', text) }
}
