import type { StepOptions } from '../execution/execute-options.ts'
import type { ExecutionEvent } from '../execution/execution-event.ts'
import type { StepTools } from '../execution/run-tools.ts'
import { failure } from '../execution/settle.ts'
import type { StepCall } from '../execution/step-call.ts'
import { defined } from '../tool/defined.ts'
import { randomId } from '../tool/random-id.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { type MaybePromise, whenDone } from '../tool/when-done.ts'
import type { Writable } from '../tool/writable.ts'
import { emit } from './emit.ts'
import { trustedTexts } from './history-taint.ts'
import { isOutput, outputToolName } from './output-tool.ts'
import { readParts } from './result-parts.ts'
import type { RunSetup } from './run-setup.ts'
import { savedCall, waitingCall } from './saved-call.ts'
import type { Spoken } from './spoken-message.ts'

/**
 * Runs the calls of a step. When some of them wait for an answer, the step stays open in the record; otherwise it
 * is counted.
 */
export function runCalls(
  setup: RunSetup,
  said: Spoken,
  calls: readonly StepCall[],
  step: StepTools,
  cutOff?: string,
): MaybePromise<readonly ToolResult[]> {
  const { executor, signal, texts } = setup
  const options = stepOptions(setup, step)
  options.journal = setup.openJournal?.(said)
  options.cutOff = cutOff
  const running =
    setup.endStrategy === 'early'
      ? answerFirst(calls, async (some) => executor.runStep(some, options), setup)
      : executor.runStep(calls, options)
  return whenDone(running, (results) => {
    if (!results.some(hasParts)) return takeResults(setup, said, calls, step, results)
    return readParts(results, texts, signal).then(() => takeResults(setup, said, calls, step, results))
  })
}

const hasParts = ({ response }: ToolResult): boolean => response.parts !== undefined

function takeResults(
  setup: RunSetup,
  said: Spoken,
  calls: readonly StepCall[],
  step: StepTools,
  results: readonly ToolResult[],
): readonly ToolResult[] {
  const { record, maxRetries, signal } = setup
  if (signal.aborted) return results.map((result) => cancelOpen(result, setup))
  if (results.some(({ outcome }) => outcome === 'deferred')) {
    const before = (id: string) => calls.find(({ opened }) => opened?.id === id)?.opened
    record.open = {
      ...said,
      calls: results.map((result) =>
        // What the schema made of a final answer need not be JSON; it changes nothing, so it is made again.
        setup.endStrategy !== undefined && isOutput(result)
          ? waitingCall(result.call)
          : savedCall(result, before(result.call.id)),
      ),
    }
    return results
  }
  const retriesOf = (name: string) => step.tools.get(name)?.definition.maxRetries ?? maxRetries
  record.budget.countStep(results, retriesOf)
  for (const { approval, call } of results) {
    const tool = approval && step.tools.get(call.name)
    if (tool !== undefined) record.taint.accept(tool)
  }
  const isAnyUnknown = results.some(({ outcome }) => outcome === 'unknown')
  // Those beyond the limit of the step were not even looked for.
  const allUnknown =
    isAnyUnknown && results.every(({ outcome }) => outcome === 'unknown' || outcome === 'limit')
  record.unknownSteps = allUnknown ? record.unknownSteps + 1 : 0
  return results
}

/** What the executor is told about each call of a step. */
export function stepOptions(setup: RunSetup, tools: StepTools): Writable<StepOptions> {
  const { record, signal, deps, tell, instructions } = setup
  const { runId, conversation: keptFor, step, budget, taint, messages } = record
  const texts = () => trustedTexts(messages, instructions, (name) => taint.doubts(name))
  const onEvent = tell && ((event: ExecutionEvent) => tell({ ...event, runId, step }))
  return { signal, deps, runId, keptFor, step, tools, budget, taint, trustedTexts: texts, onEvent }
}

/** The calls of a step that was left open, in a run that ended before its tools were there again. */
export function cancelledCalls({ record, reopened, texts }: RunSetup): readonly ToolResult[] {
  const known = new Map(reopened?.calls.map(({ opened }) => [opened?.id, opened?.result]))
  return (record.open?.calls ?? []).map(({ id, providerId, name, input }): ToolResult => {
    const result = known.get(id)
    if (result !== undefined && result.outcome !== 'deferred') return result
    const text = texts.cancelled(name, result?.pending?.kind === 'external')
    return { call: defined({ id, providerId, name, input }), ...failure('cancelled', text) }
  })
}

/** Ends a call that waits in a run that is over: each call gets one result. */
export function cancelOpen(result: ToolResult, setup: RunSetup): ToolResult {
  if (result.outcome !== 'deferred') return result
  const { call, origin, pending } = result
  const text = setup.texts.cancelled(call.name, pending?.kind === 'external')
  const ended = Object.freeze(defined({ call, origin, ...failure('cancelled', text) }))
  emit(setup, { type: 'result', callId: call.id, result: ended })
  return ended
}

/** Looks at the final answer first; when there is a valid one, the other calls do not run. */
async function answerFirst(
  calls: readonly StepCall[],
  run: (calls: readonly StepCall[]) => Promise<readonly ToolResult[]>,
  { texts }: RunSetup,
): Promise<readonly ToolResult[]> {
  const isAnswer = ({ request }: StepCall) => request.name === outputToolName
  const answers = await run(calls.filter(isAnswer))
  const isGiven = answers.some((result) => isOutput(result) && result.outcome === 'success')
  const rest = calls.filter((call) => !isAnswer(call))
  const others = await run(
    isGiven ? rest.map((call) => notRun(call, texts.answerGiven(call.request.name))) : rest,
  )
  const [nextAnswer, nextOther] = [answers.values(), others.values()]
  return calls.map((call) => (isAnswer(call) ? nextAnswer : nextOther).next().value as ToolResult)
}

function notRun({ id, request, opened }: StepCall, text: string): StepCall {
  const settlement = failure('cancelled', text)
  return { request, opened: { id: opened?.id ?? id ?? randomId('call'), settlement } }
}
