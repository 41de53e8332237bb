import { letThrough, type StageAnswer } from '../execution/call-trail.ts'
import { RunBudget } from '../execution/run-budget.ts'
import { isClean, RunTaint } from '../execution/run-taint.ts'
import { historyName } from '../tool/arguments/plain-names.ts'
import { defined } from '../tool/defined.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { ToolCall, ToolResult } from '../tool/tool-result.ts'
import type { Writable } from '../tool/writable.ts'
import { readBefore, withDescriptions } from './history-taint.ts'
import type { Message, MessageCall, MessageResult } from './message.ts'
import type { Usage } from './model-adapter.ts'
import { seenOf } from './result-parts.ts'
import type { FinishReason, RunResult, RunStep } from './run-result.ts'
import { type OpenStep, type RunState, stateVersion } from './run-state.ts'
import type { Spoken } from './spoken-message.ts'
import type { PickedTool } from './tool-picker.ts'
import { saysNothing } from './valid-history.ts'

/** What a run has done so far. */
export class RunRecord {
  readonly runId: string
  readonly agent: string
  /** The session's conversation, of which this is one run; absent for a run on its own. */
  readonly conversation: string | undefined
  readonly budget: RunBudget
  /** As of the last request: results of a step that is open are not in it. */
  readonly taint: RunTaint
  readonly messages: Message[]
  readonly steps: RunStep[] = []
  step: number
  usage: Usage
  unknownSteps: number
  textAnswers: number
  /** Whether the model was told what content from outside is. */
  saysOutsideRule: boolean
  /** The handles of long results that the conversation names and that can no longer be read. */
  goneResults: ReadonlySet<string> = new Set()
  /** The step whose calls are not all over. */
  open: OpenStep | undefined
  /** What the model is offered, once that was picked, in the order in which it joined the run. */
  picked: PickedTool[] | undefined
  /** The checked final answer. */
  output: unknown

  constructor(
    from: Pick<RunState, 'runId' | 'agent' | 'messages'> & Partial<RunState>,
    maxToolCalls?: number,
  ) {
    this.runId = from.runId
    this.agent = from.agent
    this.conversation = from.conversation
    this.messages = [...from.messages]
    this.budget = new RunBudget(maxToolCalls, from.budget)
    this.taint = new RunTaint(from.taint ?? readBefore(this.messages))
    this.step = from.step ?? 0
    this.usage = from.usage ?? { inputTokens: 0, outputTokens: 0 }
    this.unknownSteps = from.unknownSteps ?? 0
    this.textAnswers = from.textAnswers ?? 0
    this.saysOutsideRule = from.saysOutsideRule ?? false
    this.open = from.open
    this.picked = from.picked && [...from.picked]
  }

  addUsage({ inputTokens, outputTokens }: Usage): void {
    const { usage } = this
    this.usage = {
      inputTokens: usage.inputTokens + inputTokens,
      outputTokens: usage.outputTokens + outputTokens,
    }
  }

  /** Takes a step that is over into the conversation: a call and its result never stand apart. */
  addStep(said: Spoken, results: readonly ToolResult[]): void {
    this.open = undefined
    this.messages.push(...this.#added(said, results))
    this.taint.take(results, this.step)
    this.steps.push({ number: this.step, text: said.text, results })
  }

  /** What the stages of the gate said of a call that they let through; undefined when there is none of that id. */
  explain(callId: string): readonly StageAnswer[] | undefined {
    const results = this.steps.flatMap((step) => step.results)
    const result = results.find(({ call }) => call.id === callId)
    return result && letThrough(result.outcome)
  }

  /** What is needed to go on later. */
  toState(ended: boolean): Omit<RunState, 'revision'> {
    const { runId, agent, conversation, step, messages, usage, budget } = this
    const { unknownSteps, textAnswers, open, picked } = this
    return {
      ...{ version: stateVersion, runId, agent, ended, step, messages: [...messages], usage },
      ...{ budget: budget.toState(), unknownSteps, textAnswers },
      ...(this.saysOutsideRule ? { saysOutsideRule: true } : {}),
      ...defined({ conversation, open, picked: picked && [...picked], taint: this.taint.toState() }),
    }
  }

  /** The result of a run that is over. */
  result(status: RunResult['status'], finishReason: FinishReason): RunResult {
    const { runId, messages, steps, usage, output } = this
    const last = steps.at(-1) ?? messages.findLast((message) => message.role === 'assistant')
    const result: Writable<RunResult> = {
      runId,
      status,
      finalOutput: last?.text ?? '',
      finishReason,
      messages: [...messages],
      steps: [...steps],
      usage,
      pending: [],
    }
    if (output !== undefined) result.output = output
    if (!isClean(this.taint.view)) result.taint = this.taint.view
    return result
  }

  /**
   * The result of a run that waits for answers. Its messages can be continued: who does that instead of answering
   * has left the calls undone, and the model reads so.
   */
  paused(said: Spoken, results: readonly ToolResult[], revision: number, texts: ModelTexts): RunResult {
    return {
      ...this.result('paused', 'paused'),
      finalOutput: said.text,
      messages: [...this.messages, ...this.#added(said, results, texts)],
      pending: results.flatMap(({ pending }): PendingCall[] => (pending === undefined ? [] : [pending])),
      state: { ...this.toState(false), revision },
    }
  }

  #added(
    said: Spoken,
    results: readonly ToolResult[],
    texts?: Pick<ModelTexts, 'leftOpen'>,
  ): readonly Message[] {
    return withDescriptions(stepMessages(said, results, texts), this.taint, this.messages)
  }
}

/** @param texts - Set when questions are left open: what the model reads in place of their results. */
function stepMessages(
  said: Spoken,
  results: readonly ToolResult[],
  texts?: Pick<ModelTexts, 'leftOpen'>,
): readonly Message[] {
  if (results.length === 0) return saysNothing(said) ? [] : [{ role: 'assistant', ...said }]
  const answers = results.map(({ call, outcome, pending, response, taint }): MessageResult => {
    const isOpen = texts !== undefined && outcome === 'deferred' && pending?.kind !== 'external'
    const { text, parts } = isOpen ? { text: texts.leftOpen(call.name) } : seenOf(response)
    const answer: Writable<MessageResult> = { callId: call.id, name: historyName(call.name), outcome, text }
    if (parts !== undefined) answer.parts = parts
    if (taint !== undefined) answer.taint = taint
    return answer
  })
  const calls = results.map(({ call }) => historyCall(call))
  const { text, parts } = said
  const spoken: Message = { role: 'assistant', text, calls }
  return [parts === undefined ? spoken : { ...spoken, parts }, { role: 'tool', results: answers }]
}

/** A call as every provider takes it back. */
function historyCall({ id, providerId, name: written, input }: ToolCall): MessageCall {
  const name = historyName(written)
  return providerId === undefined ? { id, name, input } : { id, providerId, name, input }
}
