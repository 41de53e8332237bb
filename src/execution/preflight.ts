import { stopped, untilAborted } from '../tool/abort.ts'
import type { Preflight } from '../tool/call-outcome.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import type { SourceCallOptions } from '../toolset/tool-source.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { PreparedCall } from './prepare-call.ts'
import { cancelled } from './settle.ts'
import { notReady } from './settle-outcome.ts'
import type { Settlement } from './tool-result.ts'

/**
 * Has the tool's own realm check an input; whatever is not ready to run is an ending. With `mayLeaveCheck` the
 * answer may be `unchecked`: then `call` makes the check.
 */
export async function preflight(
  call: Pick<PreparedCall, 'id' | 'name' | 'approval'>,
  input: unknown,
  scope: ExecutionScope,
  mayLeaveCheck: boolean,
): Promise<Extract<Preflight, { kind: 'ready' }> | Settlement> {
  const options = sourceOptions(call, scope, scope.signal)
  const asked = scope.source
    .preflight(call.name, input, mayLeaveCheck ? { ...options, mayLeaveCheck } : options)
    .catch((error: unknown): Preflight => ({ kind: 'crash', error: errorToData(error) }))
  const answer = await untilAborted(asked, scope.signal)
  if (answer === stopped) return cancelled(call.name, false, scope.texts)
  return answer.kind === 'ready' ? answer : notReady(call.name, answer, scope)
}

/** What the source is told with a call. */
export function sourceOptions(
  call: Pick<PreparedCall, 'id' | 'approval'>,
  scope: ExecutionScope,
  signal: AbortSignal,
): SourceCallOptions {
  const { runId, step, deps } = scope
  return defined({ callId: call.id, runId, step, signal, deps, approval: call.approval })
}
