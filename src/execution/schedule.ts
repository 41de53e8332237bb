import type { Settlement, ToolResult } from '../tool/tool-result.ts'
import { type MaybePromise, whenDone } from '../tool/when-done.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { isPrepared } from './admit.ts'
import { approve, isAllowed } from './approval.ts'
import { execute } from './execute.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { deferral } from './pending.ts'
import type { EndedCall, PreparedCall } from './prepare-call.ts'
import type { GatedCall } from './run-batch.ts'
import { isSettlement } from './settle.ts'

/**
 * Starts each call as soon as it may: everybody is asked at once, and only the start waits its turn. A call whose
 * turn does not come, because one before it waits for an answer, waits too.
 */
export function schedule(
  calls: readonly GatedCall[],
  scope: ExecutionScope,
  settle: Settle,
): MaybePromise<ToolResult[]> {
  const [only] = calls
  if (only !== undefined && calls.length === 1 && isStartable(only)) {
    return whenDone(execute(only, scope), (ended) => whenDone(settle(ended), (result) => [result]))
  }
  return scheduleAll(calls, scope, settle)
}

/** Whether a call waits for nobody but those before it: most steps have one call, and that one is such. */
function isStartable(call: GatedCall): call is PreparedCall {
  return isPrepared(call) && call.running === undefined && isAllowed(call)
}

function scheduleAll(
  calls: readonly GatedCall[],
  scope: ExecutionScope,
  settle: Settle,
): MaybePromise<ToolResult[]> {
  let barrier: Promise<Turn> | undefined
  let sinceBarrier: Promise<Turn>[] = []
  let lastOfKey: Map<string, Promise<Turn>> | undefined
  const queue = (turn: MaybePromise<Turn>, { key, isBarrier }: Place) => {
    // The only one of its step has nobody behind it.
    if (calls.length === 1) return turn
    const done = Promise.resolve(turn)
    if (isBarrier) {
      barrier = done
      sinceBarrier = []
    } else sinceBarrier.push(done)
    if (key !== undefined) {
      lastOfKey ??= new Map()
      lastOfKey.set(key, done)
    }
    return done
  }
  const asks = calls.some((call) => isPrepared(call) && !isAllowed(call))
  const turns = calls.map((call): MaybePromise<Turn> => {
    if (isPrepared(call)) {
      const place = placeOf(call.name, call.concurrencyKey, call.listed)
      const before = place.isBarrier ? sinceBarrier.slice() : []
      const last = place.key === undefined ? undefined : lastOfKey?.get(place.key)
      if (last !== undefined) before.push(last)
      if (barrier !== undefined) before.push(barrier)
      const inTurn = () => runInTurn(call, { before, asks }, scope, settle)
      return queue(call.running === undefined ? inTurn() : join(call.running, inTurn, scope), place)
    }
    if (!('response' in call)) return whenDone(settle(call), (result) => ({ result, isOpen: false }))
    const isOpen = call.outcome === 'deferred'
    if (!isOpen) return { result: call, isOpen }
    // Brought back from before. Whoever stood behind it then does so now, as it is not over.
    const { name } = call.call
    const place = placeOf(name, call.pending?.concurrencyKey, scope.tools.get(name))
    return queue({ result: call, isOpen }, place)
  })
  const [only] = turns
  if (only !== undefined && turns.length === 1) return whenDone(only, ({ result }) => [result])
  return Promise.all(turns).then((all) => all.map(({ result }) => result))
}

/** A call whose turn came. */
interface Turn {
  readonly result: ToolResult
  /** Whether it waits for an answer, or one that it stood behind does: it may be over and the other one not. */
  readonly isOpen: boolean
}

/** Where a call stands among the others of its step. */
interface Place {
  /** Absent for a call that shares none with others. */
  readonly key: string | undefined
  readonly isBarrier: boolean
}

function placeOf(name: string, concurrencyKey: string | undefined, listed: ListedTool | undefined): Place {
  const key = concurrencyKey === undefined ? undefined : `${name} ${concurrencyKey}`
  return { key, isBarrier: !listed?.definition.parallelSafe }
}

/** Waits for a call that was started ahead. One that came to a question is taken up again where it can be asked. */
async function join(
  running: Promise<ToolResult>,
  again: () => MaybePromise<Turn>,
  { journal }: ExecutionScope,
): Promise<Turn> {
  const result = await running
  const isOpen = result.outcome === 'deferred'
  if (isOpen && result.pending?.kind !== 'external') return again()
  await journal?.settled(result)
  return { result, isOpen }
}

type Settle = (ended: EndedCall) => MaybePromise<ToolResult>

interface Wait {
  readonly before: readonly Promise<Turn>[]
  readonly asks: boolean
}

function runInTurn(
  call: PreparedCall,
  wait: Wait,
  scope: ExecutionScope,
  settle: Settle,
): MaybePromise<Turn> {
  const { before, asks } = wait
  if (asks || before.length > 0) return runLater(call, wait, scope, settle)
  return whenDone(execute(call, scope), (ended) => turnOf(ended, false, settle))
}

async function runLater(
  call: PreparedCall,
  { before, asks }: Wait,
  scope: ExecutionScope,
  settle: Settle,
): Promise<Turn> {
  // Waited for by all as soon as one is asked: no call starts before all who are asked were asked.
  const answer = asks ? await approve(call, scope) : call
  const earlier = await Promise.all(before)
  const isBehind = earlier.some(({ isOpen }) => isOpen)
  return turnOf(await endOf(call, answer, isBehind, scope), isBehind, settle)
}

function turnOf(ended: EndedCall, isBehind: boolean, settle: Settle): MaybePromise<Turn> {
  return whenDone(settle(ended), (result) => ({ result, isOpen: isBehind || result.outcome === 'deferred' }))
}

function endOf(
  call: PreparedCall,
  answer: PreparedCall | Settlement,
  isBehind: boolean,
  scope: ExecutionScope,
): MaybePromise<EndedCall> {
  if (isSettlement(answer)) return { settlement: answer, call }
  if (isBehind) return { settlement: deferral(call.name, scope), call: answer }
  return execute(answer, scope)
}
