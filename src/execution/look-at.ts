import type { JsonObject, ToolIssue } from '../tool/json-value.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { find } from './find.ts'
import { preflight } from './preflight.ts'
import { isSettlement } from './settle.ts'

/** What is wrong with an input that a person changed; an empty list when it may be sent. */
export async function issuesOf(
  { callId, toolName }: Pick<PendingCall, 'callId' | 'toolName'>,
  input: JsonObject,
  scope: ExecutionScope,
): Promise<readonly ToolIssue[]> {
  const listed = find(toolName, scope)
  const looked = isSettlement(listed)
    ? listed
    : await preflight({ id: callId, name: toolName, listed, filled: true }, input, scope, false)
  if (!isSettlement(looked)) return []
  return looked.error?.issues ?? [{ path: '', message: looked.response.text }]
}
