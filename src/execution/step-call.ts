import type { ArgumentRepair } from '../tool/arguments/argument-repair.ts'
import { defined } from '../tool/defined.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { CallRequest, Settlement, ToolResult } from '../tool/tool-result.ts'
import { sameInput } from './apply-yes.ts'
import type { Answer } from './decision.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { questionDigest } from './pending.ts'
import { check, type PreparedCall } from './prepare-call.ts'
import type { GatedCall } from './run-batch.ts'
import { isSettlement } from './settle.ts'

/** A call of a step: asked for now, or brought back from a step that was left open. */
export interface StepCall {
  /** @default a new one, or that of `opened` */
  readonly id?: string
  readonly request: CallRequest
  /** Set when the call went to the gates before the others of its step: what `startCall` of the executor gave. */
  readonly ahead?: Promise<GatedCall>
  /** Set when it was opened before. */
  readonly opened?: OpenedBefore
}

/** What is known of a call from the time when its step was left open. */
export interface OpenedBefore {
  readonly id: string
  /** It is over, or still waits for its answer. It does not run. */
  readonly result?: ToolResult
  /** How it ends by an answer that came from elsewhere. */
  readonly settlement?: Settlement
  /** The question that was asked about it. */
  readonly pending?: PendingCall
  readonly answer?: Answer
  /** What was repaired in its input then. */
  readonly repaired?: readonly ArgumentRepair[]
}

/**
 * The call with the answer to its question, when the gates make of it what they made then: the same tool, the same
 * input. Otherwise the question is another one, and is asked anew.
 */
export async function bindAnswer(
  gated: PreparedCall,
  { pending, answer, repaired }: OpenedBefore,
  scope: ExecutionScope,
): Promise<PreparedCall> {
  const call = repaired === undefined ? gated : { ...gated, repaired }
  if (pending === undefined) return call
  // Who was asked for a plain yes had filled in their fields before.
  const filled = pending.kind !== 'fields'
  const asked = sameInput(pending.input, call.input)
    ? call
    : await check({ ...call, filled }, pending.input, scope)
  const isSame =
    answer !== undefined && !isSettlement(asked) && (await questionDigest(asked)) === pending.digest
  if (isSame) return { ...asked, ...defined({ answer }) }
  // What asked then was the tool itself, perhaps: nothing that was asked about runs without an answer.
  const { reasons, policy, change, boundTo } = pending
  return call.decision.kind === 'allow'
    ? { ...call, decision: { kind: 'confirm', reasons, policy, change, boundTo } }
    : call
}
