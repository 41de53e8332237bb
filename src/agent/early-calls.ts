import type { StepOptions } from '../execution/execute-options.ts'
import type { GatedCall } from '../execution/run-batch.ts'
import type { StepTools } from '../execution/run-tools.ts'
import type { ToolExecutor } from '../execution/tool-executor.ts'
import { type LinkedAbort, linkedAbort } from '../tool/abort.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { readParts } from './result-parts.ts'
import type { RunSetup } from './run-setup.ts'
import type { MessageListener, SpokenCall } from './spoken-message.ts'
import { cancelOpen, stepOptions } from './step-calls.ts'

/** The calls of one message that start before it is whole. */
export interface EarlyCalls {
  /**
   * Takes a call to the gates when it may run beside whatever comes behind it, changes nothing, and would be within
   * all limits if each call before it counted. There it starts, unless somebody has to be asked.
   */
  readonly begin: NonNullable<MessageListener['begin']>
  /** Ends those that started of a message that broke off. The others never did. */
  end(calls: readonly SpokenCall[]): Promise<readonly ToolResult[]>
}

// What cannot be started is told where the step's calls are run.
async function startedCall(
  executor: ToolExecutor,
  call: SpokenCall,
  options: StepOptions,
): Promise<GatedCall> {
  return executor.startCall(call, options)
}

/** Starts calls of a message of this step. */
export function earlyCalls(setup: RunSetup, step: StepTools): EarlyCalls {
  const { record, limits, executor, texts } = setup
  const { budget } = record
  // Most steps begin none: what ends them is made for the first.
  let linked: LinkedAbort | undefined
  const options = (): StepOptions => {
    linked ??= linkedAbort(setup.signal)
    const options = stepOptions(setup, step)
    options.signal = linked
    // Nothing is written down before its step is, so it may run again; for the same reason nobody is asked.
    options.confirm = 'pause'
    return options
  }
  const definitionOf = (name: string) => step.tools.get(name)?.definition
  return {
    begin: (call, before) => {
      const { name } = call.request
      const tool = definitionOf(name)
      const ofTool = budget.callsOf(name) + before.filter((earlier) => earlier.name === name).length
      const mayStart =
        tool?.parallelSafe &&
        tool.labels.effect === 'none' &&
        tool.needsApproval !== true &&
        !tool.userFields &&
        !tool.external &&
        // What stands behind a call that runs alone waits for it.
        before.every((earlier) => definitionOf(earlier.name)?.parallelSafe) &&
        before.length < Math.min(limits.maxCallsPerStep ?? 32, budget.callsLeft) &&
        ofTool < (tool.maxCallsPerRun ?? Number.POSITIVE_INFINITY)
      return mayStart ? startedCall(executor, call, options()) : undefined
    },
    end: async (calls) => {
      if (linked === undefined) return []
      linked.abort()
      const gated = await Promise.all(calls.map(({ ahead }) => ahead))
      const started = calls.filter((_call, index) => Object(gated[index]).running)
      const results = await executor.runStep(started, options())
      await readParts(results, texts, linked.signal)
      return results.map((result) => cancelOpen(result, setup))
    },
  }
}
