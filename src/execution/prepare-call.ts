import { defined } from '../tool/defined.ts'
import { deepFreeze, type JsonObject } from '../tool/json-value.ts'
import type { ToolApproval } from '../tool/run-context.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import { originOf, type ToolOrigin } from '../tool/tool-origin.ts'
import type { Settlement, ToolCall } from '../tool/tool-result.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { MiddlewareContext, ToolMiddleware } from '../toolset/tool-middleware.ts'
import type { Answer } from './decision.ts'
import type { CallEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { find } from './find.ts'
import { ingest } from './ingest.ts'
import { layersOf, runBefore } from './middleware.ts'
import { permit } from './permit.ts'
import { judge, type PolicyDecision } from './policy.ts'
import { preflight } from './preflight.ts'
import { isSettlement, unexpected } from './settle.ts'

/** A call under way, and how to tell what happens to it. */
export interface OpenCall {
  readonly id: string
  readonly providerId?: string
  readonly name: string
  /** What the model asked for, checked; what middleware made of it is not the model's to read. */
  readonly proposedInput: JsonObject
  emit(event: CallEvent): void
}

/** A call whose tool is known. */
interface FoundCall extends OpenCall {
  readonly origin: ToolOrigin
  readonly listed: ListedTool
}

/** A call that passed every gate before the person. */
export interface PreparedCall extends FoundCall {
  /** What runs unless it is changed again. Frozen. */
  readonly input: JsonObject
  readonly droppedKeys: readonly string[]
  /** What the model asked for, as it stands when the call itself has yet to check it. */
  readonly unchecked?: JsonObject
  /** The input as the gates left it, before the person or the middleware round the call changed it. */
  readonly gateInput: JsonObject
  readonly decision: PolicyDecision
  /** An answer that was given before: to a question that was left open, and is this very one. */
  readonly answer?: Answer
  /** Whether the fields that a person fills in are in the input. */
  readonly filled?: boolean
  readonly labels: ToolLabels
  readonly concurrencyKey?: string
  readonly approval?: ToolApproval
  readonly approvedInput?: JsonObject
  /** Whether the person changed the input. */
  readonly edited?: boolean
}

/** How a call ended, with what is known of it. */
export interface EndedCall {
  readonly settlement: Settlement
  /** The call as far as it came. */
  readonly call: OpenCall & Partial<PreparedCall>
  /** What the tool was started with. */
  readonly executedInput?: JsonObject
  readonly lane?: string
  readonly startedAt?: number
}

/**
 * The gates before the person, in their order: ingest, find, permit, before, preflight, policy.
 *
 * @param refusal - Set when the call is refused whatever it asks for.
 */
export async function prepareCall(
  opened: Omit<OpenCall, 'proposedInput'>,
  rawInput: unknown,
  scope: ExecutionScope,
  refusal: Settlement | undefined,
): Promise<PreparedCall | EndedCall> {
  const ingested = ingest(opened.name, rawInput, scope.texts)
  const call = { ...opened, proposedInput: isSettlement(ingested) ? {} : ingested.input }
  // Who names a tool that is not there learns that first, however bad the input is.
  if (isSettlement(ingested))
    return { settlement: refusal ?? unreachable(call.name, scope) ?? ingested, call }
  if (refusal !== undefined) return { settlement: refusal, call }
  try {
    return await passGates(call, scope)
  } catch (error) {
    return { settlement: unexpected(call.name, error), call }
  }
}

function unreachable(name: string, scope: ExecutionScope): Settlement | undefined {
  const listed = find(name, scope)
  return isSettlement(listed) ? listed : permit(listed, scope)
}

async function passGates(call: OpenCall, scope: ExecutionScope): Promise<PreparedCall | EndedCall> {
  const listed = find(call.name, scope)
  if (isSettlement(listed)) return { settlement: listed, call }
  const found = { ...call, origin: originOf(listed), listed }
  const refused = permit(listed, scope)
  if (refused !== undefined) return { settlement: refused, call: found }
  const layers = layersOf(listed, scope)
  const before = await changedBefore(call, listed, layers, scope)
  if (isSettlement(before)) return { settlement: before, call: found }
  // `wrap` only ever sees checked calls.
  const mayLeaveCheck = scope.mayLeaveCheck && layers.every(({ wrap }) => wrap === undefined)
  const checked = await check(found, before.input, scope, mayLeaveCheck)
  if (isSettlement(checked)) return { settlement: checked, call: found }
  return before.input === call.proposedInput ? { ...checked, proposedInput: checked.input } : checked
}

/** The input as the `before` functions leave it. Most calls have none. */
async function changedBefore(
  call: OpenCall,
  listed: ListedTool,
  layers: readonly ToolMiddleware[],
  scope: ExecutionScope,
): Promise<{ readonly input: JsonObject } | Settlement> {
  if (layers.every(({ before }) => before === undefined)) return { input: call.proposedInput }
  return runBefore({ ...toolCall(call) }, layers, middlewareContext(listed, scope), scope)
}

/** Checks and judges an input that replaces the one of a prepared call. */
export function recheck(
  call: PreparedCall,
  input: unknown,
  scope: ExecutionScope,
): Promise<PreparedCall | Settlement> {
  return check(call, input, scope, false)
}

async function check(
  call: FoundCall & Partial<Pick<PreparedCall, 'approval' | 'filled' | 'gateInput'>>,
  input: unknown,
  scope: ExecutionScope,
  mayLeaveCheck: boolean,
): Promise<PreparedCall | Settlement> {
  const ready = await preflight(call, input, scope, mayLeaveCheck)
  if (isSettlement(ready)) return ready
  const decision = judge(call.listed, ready)
  const isLeft = mayLeaveCheck && ready.unchecked
  // Nobody is asked about an input that may still be refused.
  if (isLeft && decision.kind !== 'allow') return check(call, input, scope, false)
  const { droppedKeys, labels, concurrencyKey } = ready
  const readyInput = deepFreeze(ready.input)
  return defined({
    ...call,
    input: readyInput,
    gateInput: call.gateInput ?? readyInput,
    droppedKeys,
    decision,
    labels,
    concurrencyKey,
    unchecked: isLeft ? call.proposedInput : undefined,
  })
}

/** The part of a call that the outside sees. */
export function toolCall({ id, providerId, name, proposedInput }: OpenCall): ToolCall {
  return Object.freeze(defined({ id, providerId, name, input: proposedInput }))
}

/** What middleware is told about a call. */
export function middlewareContext(listed: ListedTool, scope: ExecutionScope): MiddlewareContext {
  const { runId, step, signal, deps } = scope
  const { definition } = listed
  const { fingerprint } = listed
  return { ...defined({ runId, step }), definition, fingerprint, origin: originOf(listed), signal, deps }
}
