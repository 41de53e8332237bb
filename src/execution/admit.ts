import type { Settlement } from '../tool/tool-result.ts'
import { rootOf } from '../toolset/listed-tool.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { PreparedCall } from './prepare-call.ts'
import type { BatchLimits, GatedCall } from './run-batch.ts'
import { failure } from './settle.ts'
import type { StepCall } from './step-call.ts'

/** Why a call is refused whatever it asks for. */
export function refusal(
  name: string,
  index: number,
  { cutOff, maxCallsPerStep }: BatchLimits,
  { texts }: ExecutionScope,
): Settlement | undefined {
  if (cutOff !== undefined) return failure('cut-off', texts.cutOff(name, cutOff))
  return index < maxCallsPerStep ? undefined : failure('limit', texts.callLimit(name, maxCallsPerStep))
}

/**
 * Lets as many calls through as the run and each tool may still run, in call order. One that was opened before was
 * let through then.
 */
export function admit(
  gated: readonly GatedCall[],
  calls: readonly StepCall[],
  { budget, texts, alwaysPermitted }: ExecutionScope,
): GatedCall[] {
  if (budget === undefined) return [...gated]
  let left = budget.callsLeft
  let used: Map<string, number> | undefined
  return gated.map((call, index) => {
    if (!isPrepared(call) || calls[index]?.opened !== undefined) return call
    // A final answer must get through also when the calls are used up: it is what then is asked for.
    if (alwaysPermitted !== undefined && rootOf(call.listed) === alwaysPermitted) return call
    const { name } = call
    const { maxCallsPerRun } = call.listed.definition
    if (maxCallsPerRun !== undefined) {
      used ??= new Map()
      const ofTool = (used.get(name) ?? budget.callsOf(name)) + 1
      if (ofTool > maxCallsPerRun) {
        return { settlement: failure('limit', texts.ownLimit(name, maxCallsPerRun)), call }
      }
      used.set(name, ofTool)
    }
    left -= 1
    if (left >= 0) return call
    return { settlement: failure('limit', texts.toolLimit(name, budget.maxCalls)), call }
  })
}

/** Whether a call passed the gates and is not over. */
export function isPrepared(call: GatedCall): call is PreparedCall {
  return 'decision' in call
}
