import { stopped, untilAborted } from '../tool/abort.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { isPromise, type MaybePromise } from '../tool/when-done.ts'
import { sameInput, wasReplaced } from './apply-yes.ts'
import { approve } from './approval.ts'
import { callSource } from './call-source.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { layersOf } from './middleware.ts'
import { runOnion } from './onion.ts'
import { defer, openPass, type Pass } from './pass.ts'
import { pendingCall } from './pending.ts'
import { check, type EndedCall, type PreparedCall, toolCall } from './prepare-call.ts'
import { cancelled, failure, isSettlement, unexpected } from './settle.ts'

/**
 * Runs an approved call inside the middleware onion. When the tool asks for a person's yes, or middleware
 * changes the input to one that needs it, the person is asked and the call starts again, once.
 */
export function execute(approved: PreparedCall, scope: ExecutionScope): MaybePromise<EndedCall> {
  const first = openPass(approved)
  const failed = (error: unknown) => ({ settlement: unexpected(approved.name, error), call: approved })
  const done = (settlement: Settlement) => {
    const { pending } = first
    if (pending === undefined || settlement.outcome !== 'deferred') return ended(first, settlement)
    return askAndRun(pending, scope).catch(failed)
  }
  // One promise less than an async function takes: each is felt in a step of many calls.
  try {
    const passing = runPass(first, scope)
    return isPromise(passing) ? passing.then(done, failed) : done(passing)
  } catch (error) {
    return failed(error)
  }
}

function ended({ call, lane, startedAt }: Pass, settlement: Settlement): EndedCall {
  return { settlement, call, lane, startedAt }
}

async function askAndRun(pending: PreparedCall, scope: ExecutionScope): Promise<EndedCall> {
  await writeQuestion(pending, scope)
  const again = await approve(pending, scope)
  if (isSettlement(again)) return { settlement: again, call: pending }
  const second = openPass(again)
  const last = await runPass(second, scope)
  if (second.pending === undefined || last.outcome !== 'deferred') return ended(second, last)
  return { settlement: failure('denied', scope.texts.changedTwice(pending.name)), call: again }
}

function runPass(pass: Pass, scope: ExecutionScope): MaybePromise<Settlement> {
  const { call } = pass
  if (call.approval === undefined) return runLayers(pass, scope)
  // Looked at last of all: the call may have waited for its turn since the person answered.
  return untilAborted(wasReplaced(call, scope), scope.signal).then((replaced) => {
    if (replaced === stopped) return cancelled(call.name, false, scope.texts)
    if (replaced) return failure('denied', scope.texts.toolChanged(call.name))
    return runLayers(pass, scope)
  })
}

function runLayers(pass: Pass, scope: ExecutionScope): MaybePromise<Settlement> {
  const { call } = pass
  const layers = layersOf(call.listed, scope).filter((middleware) => middleware.wrap !== undefined)
  if (layers.length === 0) return callOrAsk(call, pass, scope)
  return runOnion(layers, pass, scope, async (input, inside) => {
    const current = await changed(call, input, scope)
    return isSettlement(current) ? current : callOrAsk(current, pass, inside)
  })
}

function callOrAsk(call: PreparedCall, pass: Pass, scope: ExecutionScope): MaybePromise<Settlement> {
  const asks = call.approval === undefined && call.decision.kind !== 'allow'
  return asks ? defer(pass, call, scope) : callSource(call, pass, scope)
}

/** The call with another input, checked and judged again; the same call when the input is the same. */
async function changed(
  call: PreparedCall,
  input: JsonObject | undefined,
  scope: ExecutionScope,
): Promise<PreparedCall | Settlement> {
  if (input === undefined || sameInput(input, call.input)) return call
  const { approval: _given, approvedInput: _shown, answer: _used, ...unapproved } = call
  const again = await check(unapproved, input, scope)
  // Who filled in fields said yes to what was shown: another input is another question.
  const asksAgain = call.filled && call.listed.definition.userFields !== undefined
  if (isSettlement(again) || !asksAgain || again.decision.kind !== 'allow') return again
  return { ...again, decision: { kind: 'confirm', reasons: [] } }
}

/** Writes down that a person is asked again, now that the tool or middleware wants that. */
async function writeQuestion(call: PreparedCall, { journal, confirm }: ExecutionScope): Promise<void> {
  if (journal === undefined || typeof confirm !== 'function') return
  await journal.opened([{ call: toolCall(call), pending: await pendingCall(call, 'approval') }])
}
