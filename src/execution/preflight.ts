import { lendSignal, type Stop, stopped, untilAborted } from '../tool/abort.ts'
import type { Preflight } from '../tool/call-outcome.ts'
import { errorToData } from '../tool/error-data.ts'
import { strictest } from '../tool/option-rules.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { isPromise, type MaybePromise } from '../tool/when-done.ts'
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
export function preflight(
  call: AskedCall,
  input: unknown,
  scope: ExecutionScope,
  mayLeaveCheck: boolean,
): MaybePromise<LookedAt | Settlement> {
  const { signal } = scope
  const options = sourceOptions(call, scope, signal)
  if (mayLeaveCheck) options.mayLeaveCheck = true
  const asked = scope.source.preflight(call.name, input, options)
  if (!isPromise(asked)) return readAnswer(signal.aborted ? stopped : asked, call, scope)
  return untilAborted(asked, signal)
    .catch((error: unknown): Preflight => ({ kind: 'crash', error: errorToData(error) }))
    .then((answer) => readAnswer(answer, call, scope))
}

function readAnswer(
  answer: Preflight | typeof stopped,
  call: AskedCall,
  scope: ExecutionScope,
): LookedAt | Settlement {
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
  stop: Stop,
): { -readonly [Key in keyof SourceCallOptions]: SourceCallOptions[Key] } {
  const { runId, step, deps, budget } = scope
  const { definition } = listed
  const attempt = budget?.attempt(name) ?? 1
  // Made for each call, and twice: by hand it takes a fraction of what leaving out what is undefined does.
  const options: ReturnType<typeof sourceOptions> = {
    callId: id,
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
  return lendSignal(options, stop)
}

/** How often the model may try a tool again. */
export function retriesOf({ maxRetries }: ToolDefinition, scope: ExecutionScope): number {
  return maxRetries ?? scope.maxRetries
}
