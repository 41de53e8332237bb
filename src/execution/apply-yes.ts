import { defined } from '../tool/defined.ts'
import { canonicalJson, type JsonObject } from '../tool/json-value.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { modelsPart } from '../tool/user-fields.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { replacedSince, rootOf } from '../toolset/listed-tool.ts'
import type { Answer } from './decision.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { boundTo } from './policy.ts'
import { check, type PreparedCall } from './prepare-call.ts'
import { isSettlement } from './settle.ts'

/**
 * The call with a person's yes: with the input that they made of it, which is checked again, and remembered for as
 * long as they said.
 *
 * @throws Error when the yes is to be remembered and nothing can keep it.
 */
export async function applyYes(
  call: PreparedCall,
  answer: Answer,
  scope: ExecutionScope,
): Promise<PreparedCall | Settlement> {
  const { reason, remember, fields, input = fields && { ...call.input, ...fields } } = answer
  const asksFields = call.decision.kind === 'fields'
  const isKept = scope.grants !== undefined && !asksFields && boundTo(call.decision) === undefined
  if (remember !== undefined && !isKept) {
    throw new Error(`remember: there is nothing here that keeps a yes for longer than once`)
  }
  const change = call.decision.kind === 'allow' ? undefined : call.decision.change
  const bound = boundTo(call.decision)
  const approval = defined({ approved: true as const, reason, change, boundTo: bound })
  const given = input === undefined ? call.input : input
  const isSame = sameInput(given, call.input)
  // The yes is there before the check: a tool that asks then is answered already.
  const checked =
    isSame && !asksFields
      ? { ...call, approval }
      : await check({ ...call, approval, filled: true }, given, scope)
  if (isSettlement(checked)) return checked
  // A yes to a tool that is gone is none to the one in its place.
  if (remember !== undefined && !(await wasReplaced(checked, scope))) await keep(checked, remember, scope)
  // Filling in what was asked for is no change of what the model wrote.
  const edited =
    checked.edited ||
    !sameInput(asksFields ? modelsPart(checked.input, checked.listed.definition) : given, call.input)
  const { answer: _used, ...rest } = checked
  return { ...rest, approval, approvedInput: checked.input, edited }
}

async function keep(
  { name, origin, listed, input }: PreparedCall,
  { duration, scope }: NonNullable<Answer['remember']>,
  { grants }: ExecutionScope,
): Promise<void> {
  const { fingerprint } = listed
  const since = replacedSince(listed)
  await grants?.add({ toolName: name, origin, fingerprint, duration, scope, input, replacedAt: since })
}

/**
 * Whether the tool that the person was asked about is gone or another one stands in its place: a yes is bound
 * to the tool that it was given for. A tool that was registered again with the same definition is another one
 * too; sources that the library does not know are compared by fingerprint alone.
 */
export async function wasReplaced({ name, listed }: PreparedCall, scope: ExecutionScope): Promise<boolean> {
  const current = (await scope.source.list()).find(({ definition }) => definition.name === name)
  return (
    current === undefined || current.fingerprint !== listed.fingerprint || rootOf(current) !== rootOf(listed)
  )
}

/** Whether two inputs are the same JSON, whatever the order of their keys. */
export function sameInput(a: unknown, b: JsonObject): boolean {
  try {
    return isRecord(a) && canonicalJson(a as JsonObject) === canonicalJson(b)
  } catch {
    return false
  }
}
