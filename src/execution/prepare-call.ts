import { signalOf } from '../tool/abort.ts'
import type { ArgumentRepair } from '../tool/arguments/argument-repair.ts'
import { defined } from '../tool/defined.ts'
import { deepFreeze, type JsonObject } from '../tool/json-value.ts'
import type { ToolApproval } from '../tool/run-context.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import { originOf, type ToolOrigin } from '../tool/tool-origin.ts'
import type { Settlement, ToolCall, ToolResult } from '../tool/tool-result.ts'
import { type MaybePromise, orElse, whenDone } from '../tool/when-done.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { MiddlewareContext } from '../toolset/tool-middleware.ts'
import type { Answer } from './decision.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { find } from './find.ts'
import { ingest } from './ingest.ts'
import { layersOf, runBefore } from './middleware.ts'
import { permit } from './permit.ts'
import { judge, type PolicyDecision } from './policy.ts'
import { type LookedAt, preflight } from './preflight.ts'
import { isSettlement, unexpected } from './settle.ts'

/** A call under way. */
export interface OpenCall {
  readonly id: string
  readonly providerId?: string | undefined
  readonly name: string
  /** What the model asked for, checked; what middleware made of it is not the model's to read. */
  readonly proposedInput: JsonObject
  /** What was repaired before anyone looked at the call. */
  readonly repaired?: readonly ArgumentRepair[] | undefined
}

/** A call whose tool is known. */
export interface FoundCall extends OpenCall {
  readonly origin: ToolOrigin
  readonly listed: ListedTool
}

/** A call that passed every gate before the person. */
export interface PreparedCall extends FoundCall {
  /** What runs unless it is changed again. Frozen. */
  readonly input: JsonObject
  readonly droppedKeys: readonly string[]
  /** What the model asked for, as it stands when the call itself has yet to check it. */
  readonly unchecked?: JsonObject | undefined
  /** The input as the gates left it, before the person or the middleware round the call changed it. */
  readonly gateInput: JsonObject
  readonly decision: PolicyDecision
  /** An answer that was given before: to a question that was left open, and is this very one. */
  readonly answer?: Answer
  /** Whether the fields that a person fills in are in the input. */
  readonly filled?: boolean
  readonly labels: ToolLabels
  readonly concurrencyKey?: string | undefined
  readonly approval?: ToolApproval
  readonly approvedInput?: JsonObject
  /** Whether the person changed the input. */
  readonly edited?: boolean
  /** Set when it runs already, ahead of the others of its step. One that then waits for an answer runs again. */
  readonly running?: Promise<ToolResult>
}

/** How a call ended, with what is known of it. */
export interface EndedCall {
  readonly settlement: Settlement
  /** The call as far as it came; with {@link startedAt}, as its tool was started. */
  readonly call: OpenCall & Partial<PreparedCall>
  readonly lane?: string | undefined
  readonly startedAt?: number | undefined
  /** What is said behind the tool's text, in the library's name. */
  readonly note?: string | undefined
}

/**
 * The gates before the person, in their order: ingest, find, permit, before, preflight, policy.
 *
 * @param refusal - Set when the call is refused whatever it asks for.
 */
export function prepareCall(
  opened: Omit<OpenCall, 'proposedInput'>,
  rawInput: unknown,
  scope: ExecutionScope,
  refusal: Settlement | undefined,
): MaybePromise<PreparedCall | EndedCall> {
  const { id, providerId } = opened
  let call: OpenCall | undefined
  const pass = (): MaybePromise<PreparedCall | EndedCall> => {
    const listed = find(opened.name, scope)
    const tool = isSettlement(listed) ? undefined : listed.definition
    const reading = ingest(opened.name, rawInput, refusal === undefined ? tool : undefined, scope.texts)
    return whenDone(reading, ({ input: proposedInput, repaired, settlement }) => {
      const name = tool?.name ?? opened.name
      call = { id, providerId, name, proposedInput, repaired }
      if (refusal !== undefined) return { settlement: refusal, call }
      // Who names a tool that is not there learns that first, however bad the input is.
      if (isSettlement(listed)) return { settlement: listed, call }
      const found = { id, providerId, name, proposedInput, repaired, origin: originOf(listed), listed }
      const refused = permit(listed, scope) ?? settlement
      return refused === undefined ? passGates(found, scope) : { settlement: refused, call: found }
    })
  }
  return orElse(pass, (error) => {
    const settlement = refusal ?? unexpected(call?.name ?? opened.name, error)
    return { settlement, call: call ?? { ...opened, proposedInput: {} } }
  })
}

function passGates(found: FoundCall, scope: ExecutionScope): MaybePromise<PreparedCall | EndedCall> {
  const { listed, proposedInput } = found
  const layers = layersOf(listed, scope)
  const looksFirst = layers.some(({ before }) => before !== undefined)
  const before = looksFirst
    ? runBefore({ ...toolCall(found) }, layers, middlewareContext(listed, scope), scope)
    : { input: proposedInput }
  return whenDone(before, (before) => {
    if (isSettlement(before)) return { settlement: before, call: found }
    // `wrap` only ever sees checked calls.
    const mayLeaveCheck = scope.mayLeaveCheck && layers.every(({ wrap }) => wrap === undefined)
    return whenDone(check(found, before.input, scope, mayLeaveCheck), (checked) =>
      isSettlement(checked) ? { settlement: checked, call: found } : checked,
    )
  })
}

/** Checks and judges an input: the first one of a call, or one that replaces it. */
export function check(
  call: CheckedBefore,
  input: unknown,
  scope: ExecutionScope,
  mayLeaveCheck = false,
): MaybePromise<PreparedCall | Settlement> {
  return whenDone(preflight(call, input, scope, mayLeaveCheck), (ready) => {
    if (isSettlement(ready)) return ready
    const decision = judge(call, ready, scope)
    if (isSettlement(decision)) return decision
    const isLeft = mayLeaveCheck && ready.unchecked
    // Nobody is asked about an input that may still be refused.
    if (isLeft && decision.kind !== 'allow') return check(call, input, scope, false)
    return prepared(call, input, ready, { decision, isLeft })
  })
}

/** A call that is to be checked: for the first time or again. */
type CheckedBefore = FoundCall & Partial<Pick<PreparedCall, 'approval' | 'filled' | 'gateInput'>>

function prepared(
  call: CheckedBefore,
  input: unknown,
  ready: LookedAt,
  { decision, isLeft }: { readonly decision: PolicyDecision; readonly isLeft: boolean | undefined },
): PreparedCall {
  const { droppedKeys, labels, concurrencyKey } = ready
  const readyInput = deepFreeze(ready.input)
  const { gateInput, proposedInput } = call
  const unchecked = isLeft ? proposedInput : undefined
  if (gateInput !== undefined) {
    const judged = { input: readyInput, droppedKeys, decision, labels, concurrencyKey, unchecked }
    return { ...call, ...judged, gateInput }
  }
  const { id, providerId, name, repaired, origin, listed } = call
  // Member by member: most calls are checked once, and so they take half the memory.
  return {
    id,
    providerId,
    name,
    // What the gates make of the model's own input is still its own; what anybody else gives is not.
    proposedInput: input === proposedInput ? readyInput : proposedInput,
    repaired,
    origin,
    listed,
    input: readyInput,
    droppedKeys,
    gateInput: readyInput,
    decision,
    labels,
    concurrencyKey,
    unchecked,
  }
}

/** The part of a call that the outside sees. */
export function toolCall({ id, providerId, name, proposedInput }: OpenCall): ToolCall {
  const input = proposedInput
  return Object.freeze(providerId === undefined ? { id, name, input } : { id, providerId, name, input })
}

/** What middleware is told about a call. */
export function middlewareContext(listed: ListedTool, scope: ExecutionScope): MiddlewareContext {
  const { runId, step, deps } = scope
  const signal = signalOf(scope.signal)
  const { definition } = listed
  const { fingerprint } = listed
  return { ...defined({ runId, step }), definition, fingerprint, origin: originOf(listed), signal, deps }
}
