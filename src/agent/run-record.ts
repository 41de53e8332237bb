import { RunBudget } from '../execution/run-budget.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { Message, MessageResult } from './message.ts'
import type { Usage } from './model-adapter.ts'
import type { FinishReason, RunResult, RunStep } from './run-result.ts'
import { type OpenStep, type RunState, stateVersion } from './run-state.ts'

/** What a run has done so far. */
export class RunRecord {
  readonly runId: string
  readonly agent: string
  readonly budget: RunBudget
  readonly messages: Message[]
  readonly steps: RunStep[] = []
  step: number
  usage: Usage
  unknownSteps: number
  textAnswers: number
  /** The step whose calls are not all over. */
  open: OpenStep | undefined
  /** The checked final answer. */
  output: unknown

  constructor(
    from: Pick<RunState, 'runId' | 'agent' | 'messages'> & Partial<RunState>,
    maxToolCalls?: number,
  ) {
    this.runId = from.runId
    this.agent = from.agent
    this.messages = [...from.messages]
    this.budget = new RunBudget(maxToolCalls, from.budget)
    this.step = from.step ?? 0
    this.usage = from.usage ?? { inputTokens: 0, outputTokens: 0 }
    this.unknownSteps = from.unknownSteps ?? 0
    this.textAnswers = from.textAnswers ?? 0
    this.open = from.open
  }

  addUsage({ inputTokens, outputTokens }: Usage): void {
    const { usage } = this
    this.usage = {
      inputTokens: usage.inputTokens + inputTokens,
      outputTokens: usage.outputTokens + outputTokens,
    }
  }

  /** Takes a step that is over into the conversation: a call and its result never stand apart. */
  addStep(text: string, results: readonly ToolResult[]): void {
    this.open = undefined
    this.messages.push(...stepMessages(text, results, ({ response }) => response.text))
    this.steps.push({ number: this.step, text, results })
  }

  /** What is needed to go on later. */
  toState(ended: boolean): Omit<RunState, 'revision'> {
    const { runId, agent, step, messages, usage, budget, unknownSteps, textAnswers, open } = this
    return {
      ...{ version: stateVersion, runId, agent, ended, step, messages: [...messages], usage },
      ...{ budget: budget.toState(), unknownSteps, textAnswers },
      ...(open === undefined ? {} : { open }),
    }
  }

  /** The result of a run that is over. */
  result(status: RunResult['status'], finishReason: FinishReason): RunResult {
    const { runId, messages, steps, usage, output } = this
    const last = messages.findLast((message) => message.role === 'assistant')
    return {
      ...{ runId, status, finalOutput: last?.text ?? '', finishReason },
      ...(output === undefined ? {} : { output }),
      ...{ messages: [...messages], steps: [...steps], usage, pending: [] },
    }
  }

  /**
   * The result of a run that waits for answers. Its messages can be continued: who does that instead of answering
   * has left the calls undone, and the model reads so.
   */
  paused(text: string, results: readonly ToolResult[], revision: number, texts: ModelTexts): RunResult {
    const said = ({ call, outcome, pending, response }: ToolResult) =>
      outcome === 'deferred' && pending?.kind !== 'external' ? texts.leftOpen(call.name) : response.text
    return {
      ...this.result('paused', 'paused'),
      finalOutput: text,
      messages: [...this.messages, ...stepMessages(text, results, said)],
      pending: results.flatMap(({ pending }): PendingCall[] => (pending === undefined ? [] : [pending])),
      state: { ...this.toState(false), revision },
    }
  }
}

function stepMessages(
  text: string,
  results: readonly ToolResult[],
  said: (result: ToolResult) => string,
): readonly Message[] {
  if (results.length === 0) return [{ role: 'assistant', text }]
  const answers = results.map((result): MessageResult => {
    const { call, outcome } = result
    return { callId: call.id, name: call.name, text: said(result), outcome }
  })
  return [
    { role: 'assistant', text, calls: results.map(({ call }) => call) },
    { role: 'tool', results: answers },
  ]
}
