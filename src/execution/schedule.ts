import type { Settlement, ToolResult } from '../tool/tool-result.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { isPrepared } from './admit.ts'
import { approve } from './approval.ts'
import { execute } from './execute.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { deferral } from './pending.ts'
import type { EndedCall, PreparedCall } from './prepare-call.ts'
import type { GatedCall } from './run-batch.ts'
import { isSettlement, unexpected } from './settle.ts'

/**
 * Starts each call as soon as it may: everybody is asked at once, and only the start waits its turn. A call whose
 * turn does not come, because one before it waits for an answer, waits too.
 */
export function schedule(
  calls: readonly GatedCall[],
  scope: ExecutionScope,
  settle: (ended: EndedCall) => Promise<ToolResult>,
): Promise<ToolResult[]> {
  let barrier: Promise<Turn> | undefined
  let sinceBarrier: Promise<Turn>[] = []
  const lastOfKey = new Map<string, Promise<Turn>>()
  const queue = (done: Promise<Turn>, { key, isBarrier }: Place) => {
    if (isBarrier) {
      barrier = done
      sinceBarrier = []
    } else sinceBarrier.push(done)
    lastOfKey.set(key, done)
    return done
  }
  const results = calls.map(async (call): Promise<ToolResult> => {
    if (isPrepared(call)) {
      const place = placeOf(call.id, call.name, call.concurrencyKey, call.listed)
      const before = [barrier, lastOfKey.get(place.key), ...(place.isBarrier ? sinceBarrier : [])]
      const { result } = await queue(runInTurn(call, before, scope, settle), place)
      return result
    }
    if (!('response' in call)) return settle(call)
    // Brought back from before. Whoever stood behind it then does so now, if it is not over.
    const { id, name } = call.call
    const place = placeOf(id, name, call.pending?.concurrencyKey, scope.tools.get(name))
    if (call.outcome === 'deferred') await queue(Promise.resolve({ result: call, isOpen: true }), place)
    return call
  })
  return Promise.all(results)
}

/** A call whose turn came. */
interface Turn {
  readonly result: ToolResult
  /** Whether it waits for an answer, or one that it stood behind does: it may be over and the other one not. */
  readonly isOpen: boolean
}

/** Where a call stands among the others of its step. */
interface Place {
  readonly key: string
  readonly isBarrier: boolean
}

function placeOf(
  id: string,
  name: string,
  concurrencyKey: string | undefined,
  listed: ListedTool | undefined,
): Place {
  // A call without a key shares its own with nobody.
  const key = concurrencyKey === undefined ? id : `${name} ${concurrencyKey}`
  return { key, isBarrier: !listed?.definition.parallelSafe }
}

async function runInTurn(
  call: PreparedCall,
  before: readonly (Promise<Turn> | undefined)[],
  scope: ExecutionScope,
  settle: (ended: EndedCall) => Promise<ToolResult>,
): Promise<Turn> {
  const answered = approve(call, scope).catch((error: unknown) => unexpected(call.name, error))
  const [answer, ...earlier] = await Promise.all([answered, ...before])
  const isBehind = earlier.some((turn) => turn?.isOpen)
  const result = await settle(await endOf(call, answer, isBehind, scope))
  return { result, isOpen: isBehind || result.outcome === 'deferred' }
}

async function endOf(
  call: PreparedCall,
  answer: PreparedCall | Settlement,
  isBehind: boolean,
  scope: ExecutionScope,
): Promise<EndedCall> {
  if (isSettlement(answer)) return { settlement: answer, call }
  if (isBehind) return { settlement: deferral(call.name, scope), call: answer }
  return execute(answer, scope).catch((error: unknown) => ({
    settlement: unexpected(call.name, error),
    call,
  }))
}
