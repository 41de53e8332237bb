import { isFailedTry } from '../execution/run-budget.ts'
import type { StepTools } from '../execution/run-tools.ts'
import { stopped, untilAborted } from '../tool/abort.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import { isOutput, outputToolName } from './output-tool.ts'
import type { FinishReason, RunResult } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'

/** Steps in a row in which a model only names tools that do not exist, before it must answer without tools. */
const maxUnknownSteps = 3

/** The limit that makes the next turn the last one, if one is reached. */
export function limitReached({ record, limits }: RunSetup): FinishReason | undefined {
  const { step, budget, unknownSteps } = record
  if (unknownSteps >= maxUnknownSteps) return 'unknown-tools'
  if (step > 0 && budget.callsLeft <= 0) return 'tool-limit'
  return step >= (limits.maxSteps ?? 20) ? 'max-steps' : undefined
}

/** What a message without calls is to the run; undefined when the run goes on. */
export function finishAnswer(
  setup: RunSetup,
  limit: FinishReason | undefined,
  cut: FinishReason | undefined,
): RunResult | undefined {
  const { record, endStrategy, texts, maxRetries } = setup
  if (limit !== undefined) return record.result('stopped', limit)
  if (cut !== undefined) return record.result('stopped', cut)
  if (endStrategy === undefined) return record.result('done', 'answer')
  record.textAnswers += 1
  record.unknownSteps = 0
  if (record.textAnswers > maxRetries) return record.result('stopped', 'exhausted')
  if (tokensAreUsedUp(setup)) return record.result('stopped', 'max-tokens')
  record.messages.push({ role: 'user', text: texts.answerThrough(outputToolName) })
  return undefined
}

/** Whether a run is over after the calls of a step; undefined when it goes on. */
export function finishStep(
  setup: RunSetup,
  results: readonly ToolResult[],
  { tools }: StepTools,
  limit: FinishReason | undefined,
): MaybePromise<RunResult | undefined> {
  const { record, limits, throwsExhausted, endStrategy, signal } = setup
  record.textAnswers = 0
  const answer = finalAnswer(setup, results, limit)
  if (answer !== undefined) {
    record.output = answer.response.data
    return limit === undefined ? record.result('done', 'output') : record.result('stopped', limit)
  }
  if (limit !== undefined) return record.result('stopped', limit)
  const { budget } = record
  const closed = budget.isOpen ? [] : [...tools.keys()].filter((name) => budget.isClosed(name))
  const noAnswerFits = endStrategy !== undefined && closed.includes(outputToolName)
  const isExhausted = noAnswerFits || (throwsExhausted && closed.length > 0)
  if (isExhausted) return record.result('stopped', 'exhausted')
  if (tokensAreUsedUp(setup)) return record.result('stopped', 'max-tokens')
  if (limits.stopWhen === undefined) return undefined
  const { usage, steps } = record
  const asking = untilAborted((async () => limits.stopWhen?.({ steps: [...steps], usage }))(), signal)
  // The next turn notices the abort.
  return asking.then((stops) =>
    stops && stops !== stopped ? record.result('stopped', 'stop-when') : undefined,
  )
}

function tokensAreUsedUp({ record, limits }: RunSetup): boolean {
  const { inputTokens, outputTokens } = record.usage
  return inputTokens + outputTokens >= (limits.maxTokens ?? Number.POSITIVE_INFINITY)
}

/** The final answer of a step, unless something in the step asks for another try and may have one. */
function finalAnswer(
  { endStrategy }: RunSetup,
  results: readonly ToolResult[],
  limit: FinishReason | undefined,
): ToolResult | undefined {
  if (endStrategy === undefined) return undefined
  const answer = results.find((result) => isOutput(result) && result.outcome === 'success')
  const asksAgain = results.some((result) => {
    if (!isFailedTry(result) || endStrategy === 'early') return false
    return !isOutput(result) || endStrategy === 'exhaustive'
  })
  return asksAgain && limit === undefined ? undefined : answer
}
