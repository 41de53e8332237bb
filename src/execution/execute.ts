import { linkedAbort, stopped, untilAborted } from '../tool/abort.ts'
import type { Preflight } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { Settlement } from '../tool/tool-result.ts'
import type { CallStart, SourceCallOptions } from '../toolset/tool-source.ts'
import { sameInput, wasReplaced } from './apply-yes.ts'
import { approve } from './approval.ts'
import { withDeadline } from './deadline.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { layersOf } from './middleware.ts'
import { type Pass, runOnion } from './onion.ts'
import { deferral, pendingCall } from './pending.ts'
import { sourceOptions } from './preflight.ts'
import { type EndedCall, type PreparedCall, recheck, toolCall } from './prepare-call.ts'
import { cancelled, failure, isSettlement } from './settle.ts'
import { notReady, settleOutcome, settleStopped } from './settle-outcome.ts'

/**
 * Runs an approved call inside the middleware onion. When the tool asks for a person's yes, or middleware
 * changes the input to one that needs it, the person is asked and the call starts again, once.
 */
export async function execute(approved: PreparedCall, scope: ExecutionScope): Promise<EndedCall> {
  const first = await attempt(approved, scope)
  if (first.pending === undefined) return first
  await writeQuestion(first.pending, scope)
  const again = await approve(first.pending, scope)
  if (isSettlement(again)) return { settlement: again, call: first.pending }
  const second = await attempt(again, scope)
  if (second.pending === undefined) return second
  return { settlement: failure('denied', scope.texts.changedTwice(approved.name)), call: again }
}

interface Attempt extends EndedCall {
  /** Set when the call must be approved (again) before it can run. */
  readonly pending?: PreparedCall
}

async function attempt(call: PreparedCall, scope: ExecutionScope): Promise<Attempt> {
  // Looked at last of all: the call may have waited for its turn since the person answered.
  const replaced = call.approval !== undefined && (await untilAborted(wasReplaced(call, scope), scope.signal))
  if (replaced === stopped) return { settlement: cancelled(call.name, false, scope.texts), call }
  if (replaced) {
    return { settlement: failure('denied', scope.texts.toolChanged(call.name)), call }
  }
  // Middleware may give up on a call that still runs; nothing may survive it.
  const wrapped = layersOf(call.listed, scope).some(({ wrap }) => wrap !== undefined)
  const inside = wrapped ? linkedAbort(scope.signal) : undefined
  const pass: Pass = { ran: call }
  const inner = async (input?: JsonObject): Promise<Settlement> => {
    const current = await changed(call, input, scope)
    if (isSettlement(current)) return current
    const asks = current.approval === undefined && current.decision.kind !== 'allow'
    if (asks) return defer(pass, current, scope)
    return callSource(current, pass, inside ? { ...scope, signal: inside.signal } : scope)
  }
  try {
    const settlement = await runOnion(call, pass, inner, scope, () => inside?.abort())
    const { ran, lane, startedAt } = pass
    return defined({
      settlement,
      call: ran,
      executedInput: startedAt === undefined ? undefined : ran.input,
      lane,
      startedAt,
      pending: settlement.outcome === 'deferred' ? pass.pending : undefined,
    })
  } finally {
    inside?.release()
  }
}

/** The call with another input, checked and judged again; the same call when the input is the same. */
async function changed(
  call: PreparedCall,
  input: JsonObject | undefined,
  scope: ExecutionScope,
): Promise<PreparedCall | Settlement> {
  if (input === undefined || sameInput(input, call.input)) return call
  const { approval: _given, approvedInput: _shown, answer: _used, ...unapproved } = call
  const again = await recheck(unapproved, input, scope)
  // Who filled in fields said yes to what was shown: another input is another question.
  const asksAgain = call.filled && call.listed.definition.userFields !== undefined
  if (isSettlement(again) || !asksAgain || again.decision.kind !== 'allow') return again
  return { ...again, decision: { kind: 'confirm', reasons: [] } }
}

function defer(pass: Pass, call: PreparedCall, scope: ExecutionScope): Settlement {
  pass.pending = call
  return deferral(call.name, scope)
}

async function callSource(call: PreparedCall, pass: Pass, scope: ExecutionScope): Promise<Settlement> {
  const unwritten = await writeStart(call, scope)
  if (unwritten !== undefined) return unwritten
  const timeoutMs = call.listed.definition.timeoutMs ?? scope.timeoutMs
  let ran = false
  const { outcome, stoppedBy } = await withDeadline(
    (signal, startClock) => {
      const begin = ({ at, lane }: CallStart) => {
        if (!ran) announce(call)
        ran = true
        startClock()
        Object.assign(pass, { ran: call, startedAt: pass.startedAt ?? at, lane })
        call.emit(defined({ type: 'call-started' as const, input: call.input, lane }))
      }
      // A source that does not report its starts has started by being called.
      const { reportsStart } = scope.source
      if (!reportsStart) begin({ at: now() })
      const options: SourceCallOptions = {
        ...sourceOptions(call, scope, signal),
        checked: call.unchecked === undefined,
        onProgress: (value) => call.emit({ type: 'progress', value }),
        onLog: (entry) => call.emit({ type: 'log', entry }),
      }
      return scope.source.call(call.name, call.input, reportsStart ? { ...options, onStart: begin } : options)
    },
    { timeoutMs, signal: scope.signal },
  )
  if (stoppedBy !== undefined) return settleStopped(call, outcome, stoppedBy, ran, timeoutMs, scope)
  if (outcome.kind === 'not-ready') return leftCheck(call, outcome.answer, pass, scope)
  if (outcome.kind === 'deferred') {
    return deferral(call.name, scope, await pendingCall(call, 'external', outcome.metadata))
  }
  if (outcome.kind !== 'approval') return settleOutcome(call, outcome, scope)
  if (call.approval !== undefined) return failure('denied', scope.texts.askedTwice(call.name))
  return defer(pass, asking(call, [outcome.reason]), scope)
}

/** Writes down that a person is asked again, now that the tool or middleware wants that. */
async function writeQuestion(call: PreparedCall, { journal, confirm }: ExecutionScope): Promise<void> {
  if (journal === undefined || typeof confirm !== 'function') return
  await journal.opened([{ call: toolCall(call), pending: await pendingCall(call, 'approval') }])
}

/** Writes down that a call with an effect starts; the ending of the call when that fails. */
async function writeStart(call: PreparedCall, scope: ExecutionScope): Promise<Settlement | undefined> {
  if (scope.journal === undefined || call.labels.effect === 'none') return undefined
  try {
    await scope.journal.starting(call.id)
    return undefined
  } catch (error) {
    return failure('error', scope.texts.notJournalled(call.name, errorToData(error).message), 'journal')
  }
}

/** A call is told of once it was checked: here, when the check was left to the call itself. */
function announce(call: PreparedCall): void {
  if (call.unchecked !== undefined) call.emit({ type: 'call', call: toolCall(call) })
}

/** What becomes of a call whose own check did not let it start. */
function leftCheck(call: PreparedCall, answer: Preflight, pass: Pass, scope: ExecutionScope): Settlement {
  if (answer.kind === 'fields') return failure('error', scope.texts.nobodyToAsk(call.name))
  if (answer.kind !== 'ready') {
    pass.ran = { ...call, proposedInput: call.unchecked ?? call.proposedInput, droppedKeys: [] }
    return notReady(call.name, answer, scope)
  }
  announce(call)
  return defer(pass, asking(call, answer.reasons), scope)
}

/** The call, checked by now, with a question to the person. */
function asking({ unchecked: _done, ...call }: PreparedCall, reasons: readonly string[]): PreparedCall {
  return { ...call, decision: { kind: 'confirm', reasons } }
}
