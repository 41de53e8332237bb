import { stopped, untilAborted } from '../tool/abort.ts'
import type { Preflight } from '../tool/call-outcome.ts'
import { errorToData } from '../tool/error-data.ts'
import { strictest } from '../tool/option-rules.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { rootOf } from '../toolset/listed-tool.ts'
import type { SourceCallOptions } from '../toolset/tool-source.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { PreparedCall } from './prepare-call.ts'
import { cancelled } from './settle.ts'
import { notReady } from './settle-outcome.ts'

/** A checked input, and how it is to be judged. */
export type LookedAt = Omit<Extract<Preflight, { kind: 'ready' }>, 'kind'> & {
  /** Set when a person has yet to fill in their fields; what is there is the model's part. */
  readonly lacksFields?: boolean
}

/**
 * Has the tool's own realm check an input; whatever is not ready to run is an ending. With `mayLeaveCheck` the
 * answer may be `unchecked`: then `call` makes the check.
 */
export async function preflight(
  call: AskedCall,
  input: unknown,
  scope: ExecutionScope,
  mayLeaveCheck: boolean,
): Promise<LookedAt | Settlement> {
  const options = sourceOptions(call, scope, scope.signal)
  const asked = scope.source
    .preflight(call.name, input, mayLeaveCheck ? { ...options, mayLeaveCheck } : options)
    .catch((error: unknown): Preflight => ({ kind: 'crash', error: errorToData(error) }))
  const answer = await untilAborted(asked, scope.signal)
  if (answer === stopped) return cancelled(call.name, false, scope.texts)
  if (answer.kind === 'ready') return answer
  if (answer.kind !== 'fields') return notReady(call.name, answer, scope)
  const { droppedKeys } = answer
  const labels = strictest(call.listed.definition.labels)
  return { input: answer.input, droppedKeys, needsApproval: true, reasons: [], labels, lacksFields: true }
}

/** What of a call its source is told. */
export type AskedCall = Pick<PreparedCall, 'id' | 'name' | 'listed' | 'approval' | 'filled'>

/** What the source is told with a call. */
export function sourceOptions(
  { id, name, listed, approval, filled }: AskedCall,
  scope: ExecutionScope,
  signal: AbortSignal,
): SourceCallOptions {
  const { runId, step, deps, budget } = scope
  const { definition } = listed
  const attempt = budget?.attempt(name) ?? 1
  // Made for each call, and twice: by hand it takes a fraction of what leaving out what is undefined does.
  const options: { -readonly [Key in keyof SourceCallOptions]: SourceCallOptions[Key] } = {
    callId: id,
    signal,
    deps,
    definition,
    attempt,
    maxRetries: retriesOf(definition, scope),
  }
  const root = rootOf(listed)
  if (root !== undefined) options.root = root
  if (runId !== undefined) options.runId = runId
  if (step !== undefined) options.step = step
  if (approval !== undefined) options.approval = approval
  if (filled !== undefined) options.filledByPerson = filled
  return options
}

/** How often the model may try a tool again. */
export function retriesOf({ maxRetries }: ToolDefinition, scope: ExecutionScope): number {
  return maxRetries ?? scope.maxRetries
}
