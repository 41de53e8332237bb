import type { ToolExecutor } from '../execution/tool-executor.ts'
import type { ToolResult } from '../execution/tool-result.ts'
import { now } from '../tool/clock.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { RunLimits } from './limits.ts'
import type { Message } from './message.ts'
import type { ModelAdapter, ModelRequest } from './model-adapter.ts'
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
  #inputTokens = 0
  #outputTokens = 0
  #callsUsed = 0
  #unknownSteps = 0
  step = 0

  constructor(setup: RunSetup) {
    this.#setup = setup
    this.#messages = [...setup.messages]
  }

  async loop(): Promise<RunResult> {
    while (true) {
      this.step += 1
      const ended = await this.#oneStep()
      if (ended !== undefined) return ended
      const limit = this.#limitReached()
      if (limit !== undefined) return this.#lastTurn(limit)
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
      usage: { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens },
    }
  }

  /** One model request and its calls; the result when the run is over with it. */
  async #oneStep(): Promise<RunResult | undefined> {
    const { executor } = this.#setup
    const tools = (await executor.list()).map((tool) => tool.definition)
    this.emit({ type: 'step-start', tools: tools.map((tool) => tool.name) })
    const message = await this.#ask(tools)
    if ('aborted' in message) return this.#stopped(message.text)
    const results = message.calls.length === 0 ? [] : await this.#runCalls(message)
    this.#record(message.text, results)
    if (this.#setup.signal.aborted) return this.#stopped('')
    if (message.calls.length > 0) {
      this.#unknownSteps = results.every(({ outcome }) => outcome === 'unknown') ? this.#unknownSteps + 1 : 0
      return undefined
    }
    const cut =
      message.finish === 'length' || message.finish === 'content-filter' ? message.finish : undefined
    return cut === undefined ? this.result('done', 'answer') : this.result('stopped', cut)
  }

  async #ask(tools: ModelRequest['tools']): Promise<Awaited<ReturnType<typeof readModel>>> {
    const { model, instructions, signal } = this.#setup
    const request = {
      ...(instructions === undefined ? {} : { instructions }),
      messages: this.#messages,
      tools,
      signal,
    }
    const message = await readModel(model, request, (text) => this.emit({ type: 'text-delta', text }))
    if ('usage' in message) {
      this.#inputTokens += message.usage.inputTokens
      this.#outputTokens += message.usage.outputTokens
    }
    return message
  }

  async #runCalls(message: ModelMessage): Promise<readonly ToolResult[]> {
    const { executor, limits, deps, runId, signal } = this.#setup
    const maxToolCalls = limits.maxToolCalls ?? Number.POSITIVE_INFINITY
    const cutOff =
      message.finish === 'length' || message.finish === 'content-filter' ? message.finish : undefined
    const results = await executor.executeStep(message.calls, {
      signal,
      deps,
      runId,
      step: this.step,
      callsLeft: maxToolCalls - this.#callsUsed,
      maxToolCalls,
      cutOff,
      onEvent: (event) => this.emit(event),
    })
    const passed = results.filter(({ outcome }) => !neverReady.has(outcome))
    this.#callsUsed += passed.length
    return results
  }

  #record(text: string, results: readonly ToolResult[]): void {
    const calls = results.map(({ call }) => call)
    this.#messages.push({ role: 'assistant', text, ...(calls.length === 0 ? {} : { calls }) })
    if (results.length > 0) {
      this.#messages.push({
        role: 'tool',
        results: results.map(({ call, response, outcome }) => ({
          callId: call.id,
          name: call.name,
          text: response.text,
          outcome,
        })),
      })
    }
    this.#steps.push({ number: this.step, text, results })
    this.emit({ type: 'step-end', results })
  }

  #limitReached(): FinishReason | undefined {
    const { maxSteps = 20, maxToolCalls = Number.POSITIVE_INFINITY } = this.#setup.limits
    if (this.#unknownSteps >= maxUnknownSteps) return 'unknown-tools'
    if (this.#callsUsed >= maxToolCalls) return 'tool-limit'
    return this.step >= maxSteps ? 'max-steps' : undefined
  }

  /** One last request without tools, so that the person gets an answer. Calls in it are dropped. */
  async #lastTurn(reason: FinishReason): Promise<RunResult> {
    this.step += 1
    this.emit({ type: 'step-start', tools: [] })
    const message = await this.#ask([])
    if ('aborted' in message) return this.#stopped(message.text)
    this.#record(message.text, [])
    return this.result('stopped', reason)
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
const neverReady = new Set(['unknown', 'invalid', 'not-allowed', 'limit', 'cut-off'])
