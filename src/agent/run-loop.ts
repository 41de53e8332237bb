import type { ToolExecutor } from '../execution/tool-executor.ts'
import type { CallEnding, CallRequest, ToolResult } from '../execution/tool-result.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { RunLimits } from './limits.ts'
import type { Message } from './message.ts'
import type { ModelAdapter, ModelRequest, Usage } from './model-adapter.ts'
import { type ModelMessage, readModel } from './read-model.ts'
import { RunError } from './run-error.ts'
import type { AgentEvent, FinishReason, RunResult, RunStep } from './run-result.ts'

/** Steps in a row in which a model only names tools that do not exist, before it must answer without tools. */
const maxUnknownSteps = 3

/** All that one run needs. */
export interface RunSetup {
  readonly runId: string
  readonly model: ModelAdapter
  readonly instructions: string | undefined
  readonly executor: ToolExecutor
  readonly limits: RunLimits
  /** Ends with the user's new message. */
  readonly messages: readonly Message[]
  readonly deps: unknown
  /** Aborts when the caller gives up or the deadline passes. */
  readonly signal: AbortSignal
  /** Whether it was the deadline. */
  deadlinePassed(): boolean
  emit(event: AgentEvent): void
}

/**
 * The agent's loop: model, calls, model, until the model answers or a limit ends it.
 *
 * @throws {@link RunError} when the signal aborts (not by the deadline) or the model fails.
 */
export async function runLoop(setup: RunSetup): Promise<RunResult> {
  const run = new Run(setup)
  try {
    const result = await run.loop()
    run.emit({ type: 'done', result })
    return result
  } catch (error) {
    if (error instanceof RunError || error instanceof ToolRegistrationError) throw error
    const message = `Step ${run.step} failed: ${errorToData(error).message}`
    throw new RunError(message, run.result('stopped', 'answer'), { aborted: false, cause: error })
  }
}

type DistributedOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

class Run {
  readonly #setup: RunSetup
  readonly #messages: Message[]
  readonly #steps: RunStep[] = []
  readonly #maxToolCalls: number
  #usage: Usage = { inputTokens: 0, outputTokens: 0 }
  #callsUsed = 0
  #unknownSteps = 0
  step = 0

  constructor(setup: RunSetup) {
    this.#setup = setup
    this.#messages = [...setup.messages]
    this.#maxToolCalls = setup.limits.maxToolCalls ?? Number.POSITIVE_INFINITY
  }

  async loop(): Promise<RunResult> {
    while (true) {
      const ended = await this.#turn(this.#limitReached())
      if (ended !== undefined) return ended
    }
  }

  emit(event: DistributedOmit<AgentEvent, 'runId' | 'step' | 'at'>): void {
    this.#setup.emit({ at: now(), ...event, runId: this.#setup.runId, step: this.step } as AgentEvent)
  }

  result(status: RunResult['status'], finishReason: FinishReason): RunResult {
    const last = this.#messages.findLast((message) => message.role === 'assistant')
    return {
      runId: this.#setup.runId,
      status,
      finalOutput: last?.text ?? '',
      finishReason,
      messages: [...this.#messages],
      steps: [...this.#steps],
      usage: this.#usage,
    }
  }

  /**
   * One model request and its calls; the result when the run is over with it. Once a limit is reached it is the
   * last one: without tools, so that the person gets an answer, and calls in it are dropped.
   */
  async #turn(limit: FinishReason | undefined): Promise<RunResult | undefined> {
    const { executor, signal } = this.#setup
    this.step += 1
    const tools = limit === undefined ? (await executor.list()).map(({ definition }) => definition) : []
    this.emit({ type: 'step-start', tools: tools.map(({ name }) => name) })
    const { text, calls, finish, aborted } = await this.#ask(tools)
    if (aborted) return this.#stopped(text)
    const cut = finish === 'length' || finish === 'content-filter' ? finish : undefined
    const results = limit === undefined ? await this.#runCalls(calls, cut) : []
    this.#record(text, results)
    if (limit !== undefined) return this.result('stopped', limit)
    if (signal.aborted) return this.#stopped('')
    if (calls.length > 0) return undefined
    return cut === undefined ? this.result('done', 'answer') : this.result('stopped', cut)
  }

  #limitReached(): FinishReason | undefined {
    if (this.#unknownSteps >= maxUnknownSteps) return 'unknown-tools'
    if (this.step > 0 && this.#callsUsed >= this.#maxToolCalls) return 'tool-limit'
    return this.step >= (this.#setup.limits.maxSteps ?? 20) ? 'max-steps' : undefined
  }

  async #ask(tools: ModelRequest['tools']): Promise<ModelMessage> {
    const { model, instructions, signal } = this.#setup
    const request = defined({ instructions, messages: this.#messages, tools, signal })
    const message = await readModel(model, request, (text) => this.emit({ type: 'text-delta', text }))
    const { inputTokens, outputTokens } = this.#usage
    this.#usage = {
      inputTokens: inputTokens + message.usage.inputTokens,
      outputTokens: outputTokens + message.usage.outputTokens,
    }
    return message
  }

  async #runCalls(calls: readonly CallRequest[], cutOff: string | undefined): Promise<readonly ToolResult[]> {
    if (calls.length === 0) return []
    const { executor, deps, runId, signal } = this.#setup
    const results = await executor.executeStep(calls, {
      signal,
      deps,
      runId,
      step: this.step,
      callsLeft: this.#maxToolCalls - this.#callsUsed,
      maxToolCalls: this.#maxToolCalls,
      cutOff,
      onEvent: (event) => this.emit(event),
    })
    this.#callsUsed += results.filter(({ outcome }) => !neverReady.includes(outcome)).length
    this.#unknownSteps = results.every(({ outcome }) => outcome === 'unknown') ? this.#unknownSteps + 1 : 0
    return results
  }

  #record(text: string, results: readonly ToolResult[]): void {
    if (results.length === 0) this.#messages.push({ role: 'assistant', text })
    else {
      this.#messages.push(
        { role: 'assistant', text, calls: results.map(({ call }) => call) },
        {
          role: 'tool',
          results: results.map(({ call: { id, name }, response, outcome }) => {
            return { callId: id, name, text: response.text, outcome }
          }),
        },
      )
    }
    this.#steps.push({ number: this.step, text, results })
    this.emit({ type: 'step-end', results })
  }

  /** The end of a run whose signal aborted: by the deadline it is a result, else it is an error. */
  #stopped(text: string): RunResult {
    if (text !== '') this.#messages.push({ role: 'assistant', text })
    const result = this.result('stopped', 'deadline')
    if (this.#setup.deadlinePassed()) return result
    throw new RunError('The run was aborted.', result, { aborted: true, cause: this.#setup.signal.reason })
  }
}

/** Endings of calls that never got as far as being ready to run; they do not count as tool calls. */
const neverReady: readonly CallEnding[] = ['unknown', 'invalid', 'not-allowed', 'limit', 'cut-off']
