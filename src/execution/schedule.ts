import type { Settlement, ToolResult } from '../tool/tool-result.ts'
import { isPromise, type MaybePromise, whenDone } from '../tool/when-done.ts'
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
export async function schedule(
  calls: readonly GatedCall[],
  scope: ExecutionScope,
  settle: (ended: EndedCall) => MaybePromise<ToolResult>,
): Promise<ToolResult[]> {
  let barrier: Promise<Turn> | undefined
  let sinceBarrier: Promise<Turn>[] = []
  const lastOfKey = new Map<string, Promise<Turn>>()
  const queue = (done: Promise<Turn>, { key, isBarrier }: Place) => {
    if (isBarrier) {
      barrier = done
      sinceBarrier = []
    } else sinceBarrier.push(done)
    if (key !== undefined) lastOfKey.set(key, done)
    return done
  }
  const asks = calls.some((call) => isPrepared(call) && !isAllowed(call))
  const turns = calls.map((call): MaybePromise<Turn> => {
    if (isPrepared(call)) {
      const place = placeOf(call.name, call.concurrencyKey, call.listed)
      const last = place.key === undefined ? undefined : lastOfKey.get(place.key)
      const before = [barrier, last, ...(place.isBarrier ? sinceBarrier : [])].filter(
        (turn) => turn !== undefined,
      )
      const inTurn = () => runInTurn(call, { before, asks }, scope, settle)
      return queue(call.running === undefined ? inTurn() : join(call.running, inTurn, scope), place)
    }
    if (!('response' in call)) return whenDone(settle(call), (result) => ({ result, isOpen: false }))
    const isOpen = call.outcome === 'deferred'
    if (!isOpen) return { result: call, isOpen }
    // Brought back from before. Whoever stood behind it then does so now, as it is not over.
    const { name } = call.call
    const place = placeOf(name, call.pending?.concurrencyKey, scope.tools.get(name))
    return queue(Promise.resolve({ result: call, isOpen }), place)
  })
  return (await Promise.all(turns)).map(({ result }) => result)
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
  again: () => Promise<Turn>,
  { journal }: ExecutionScope,
): Promise<Turn> {
  const result = await running
  const isOpen = result.outcome === 'deferred'
  if (isOpen && result.pending?.kind !== 'external') return again()
  await journal?.settled(result)
  return { result, isOpen }
}

async function runInTurn(
  call: PreparedCall,
  { before, asks }: { readonly before: readonly Promise<Turn>[]; readonly asks: boolean },
  scope: ExecutionScope,
  settle: (ended: EndedCall) => MaybePromise<ToolResult>,
): Promise<Turn> {
  // Waited for by all as soon as one is asked: no call starts before all who are asked were asked.
  const answer = asks ? await approve(call, scope) : call
  const earlier = before.length === 0 ? [] : await Promise.all(before)
  const isBehind = earlier.some(({ isOpen }) => isOpen)
  const settled = settle(await endOf(call, answer, isBehind, scope))
  const result = isPromise(settled) ? await settled : settled
  return { result, isOpen: isBehind || result.outcome === 'deferred' }
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
