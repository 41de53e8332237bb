import { defined } from '../tool/defined.ts'
import { deepFreeze, type JsonObject } from '../tool/json-value.ts'
import type { ToolApproval } from '../tool/run-context.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import { originOf, type ToolOrigin } from '../tool/tool-origin.ts'
import type { ListedTool } from '../toolset/tool-source.ts'
import type { CallEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { find } from './find.ts'
import { ingest } from './ingest.ts'
import { type MiddlewareContext, runBefore } from './middleware.ts'
import { permit } from './permit.ts'
import { judge, type PolicyDecision } from './policy.ts'
import { preflight } from './preflight.ts'
import { isSettlement } from './settle.ts'
import type { CallRequest, Settlement, ToolCall } from './tool-result.ts'

/** A call under way: who asks, and how to tell what happens to it. */
export interface OpenCall {
  readonly id: string
  readonly request: CallRequest
  emit(event: CallEvent): void
}

/** A call that passed every gate before the person. */
export interface PreparedCall {
  readonly id: string
  readonly providerId?: string
  readonly name: string
  readonly origin: ToolOrigin
  readonly listed: ListedTool
  /** What the model asked for, checked; what middleware made of it is not the model's to read. */
  readonly proposedInput: JsonObject
  /** What runs unless it is changed again. Frozen. */
  readonly input: JsonObject
  readonly droppedKeys: readonly string[]
  /** What the model asked for, as it stands when the call itself has yet to check it. */
  readonly unchecked?: JsonObject
  readonly decision: PolicyDecision
  readonly labels: ToolLabels
  readonly concurrencyKey?: string
  readonly approval?: ToolApproval
  readonly approvedInput?: JsonObject
  /** Whether the person changed the input. */
  readonly edited?: boolean
  emit(event: CallEvent): void
}

/** How a call ended before it was ready to run, with what is known of it. */
export interface RefusedCall {
  readonly settlement: Settlement
  readonly call: ToolCall
  readonly origin?: ToolOrigin
}

/** The gates before the person, in their order: ingest, find, permit, before, preflight, policy. */
export async function prepareCall(
  open: OpenCall,
  scope: ExecutionScope,
): Promise<PreparedCall | RefusedCall> {
  const { request } = open
  const name = String(request.name)
  const { providerId } = request
  const call = (input: JsonObject): ToolCall => defined({ id: open.id, providerId, name, input })
  const ingested = ingest(name, request.input, scope.texts)
  if (isSettlement(ingested)) return { settlement: ingested, call: call({}) }
  const refuse = (settlement: Settlement, origin?: ToolOrigin): RefusedCall =>
    defined({ settlement, call: call(ingested.input), origin })
  const listed = find(name, scope)
  if (isSettlement(listed)) return refuse(listed)
  const origin = originOf(listed)
  const refused = permit(name, origin, scope)
  if (refused !== undefined) return refuse(refused, origin)
  const before = await runBefore(call(ingested.input), middlewareContext(listed, scope), scope)
  if (isSettlement(before)) return refuse(before, origin)
  const { input: _raw, ...named } = call(before.input)
  const checkable = { ...named, origin, listed, emit: open.emit }
  const checked = await check(checkable, before.input, scope, scope.mayLeaveCheck)
  if (isSettlement(checked)) return refuse(checked, origin)
  const changed = before.input !== ingested.input
  const proposedInput = changed ? ingested.input : checked.input
  const unchecked = checked.unchecked ? ingested.input : undefined
  return defined({ ...checked, proposedInput, unchecked })
}

/** Checks and judges an input that replaces the one of a prepared call. */
export async function recheck(
  call: PreparedCall,
  input: unknown,
  scope: ExecutionScope,
): Promise<PreparedCall | Settlement> {
  const { unchecked: _done, ...checkable } = call
  const checked = await check(checkable, input, scope, false)
  if (isSettlement(checked)) return checked
  const { unchecked: _never, ...rest } = checked
  return { ...rest, proposedInput: call.proposedInput }
}

type Checkable = Pick<PreparedCall, 'id' | 'providerId' | 'name' | 'origin' | 'listed' | 'emit' | 'approval'>

type Checked = Omit<PreparedCall, 'proposedInput' | 'unchecked'> & { readonly unchecked?: boolean }

async function check(
  call: Checkable,
  input: unknown,
  scope: ExecutionScope,
  mayLeaveCheck: boolean,
): Promise<Checked | Settlement> {
  const ready = await preflight(call, input, scope, mayLeaveCheck)
  if (isSettlement(ready)) return ready
  const { droppedKeys, labels, concurrencyKey, unchecked } = ready
  const decision = judge(call.listed, ready)
  // Nobody is asked about an input that may still be refused.
  if (unchecked && decision.kind !== 'allow') return check(call, input, scope, false)
  return defined({
    ...call,
    input: deepFreeze(ready.input),
    droppedKeys,
    decision,
    labels,
    concurrencyKey,
    unchecked,
  })
}

/** What middleware is told about a call. */
export function middlewareContext(listed: ListedTool, scope: ExecutionScope): MiddlewareContext {
  const { runId, step, signal, deps } = scope
  return {
    ...defined({ runId, step }),
    definition: listed.definition,
    origin: originOf(listed),
    signal,
    deps,
  }
}
