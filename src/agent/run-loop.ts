import type { RunTools, StepTools } from '../execution/run-tools.ts'
import { stopped, untilAborted } from '../tool/abort.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { StepContext } from '../tool/step-context.ts'
import { throwLater } from '../tool/throw-later.ts'
import { within } from '../tool/time-limit.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { emit } from './emit.ts'
import { finishAnswer, finishStep, limitReached } from './finish.ts'
import { outputToolName } from './output-tool.ts'
import { type ModelMessage, readModel } from './read-model.ts'
import { RunError } from './run-error.ts'
import type { FinishReason, RunResult } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'
import { RunStateError } from './run-state-error.ts'
import { cancelledCalls, runCalls } from './step-calls.ts'

/** What is being made ready when its run is aborted gets this long to come, in milliseconds. */
const openingGraceMs = 100

/**
 * The agent's loop: model, calls, model, until the model answers, calls wait for an answer, or a limit ends it.
 *
 * @throws {@link RunError} when the signal aborts (not by the deadline) or the model fails.
 */
export async function runLoop(setup: RunSetup): Promise<RunResult> {
  const { record } = setup
  try {
    const ended = await new Loop(setup).run()
    const { alreadyAnswered = [] } = setup.reopened ?? {}
    const result = alreadyAnswered.length === 0 ? ended : { ...ended, alreadyAnswered }
    // A paused run was saved before its state was taken.
    if (result.status !== 'paused') await setup.save(result.status)
    emit(setup, { type: result.status === 'paused' ? 'paused' : 'done', result })
    return result
  } catch (error) {
    // An aborted run is over; one whose model failed can be resumed where it stood.
    if (error instanceof RunError) await setup.save('stopped').catch(() => {})
    const known = error instanceof RunError || error instanceof RunStateError
    if (known || error instanceof ToolRegistrationError) throw error
    const message = `Step ${record.step} failed: ${errorToData(error).message}`
    throw new RunError(message, record.result('stopped', 'answer'), { aborted: false, cause: error })
  }
}

class Loop {
  readonly #setup: RunSetup

  constructor(setup: RunSetup) {
    this.#setup = setup
  }

  async run(): Promise<RunResult> {
    const { executor } = this.#setup
    const tools = await this.#opened(executor.openRun(this.#context()))
    if (tools === undefined) return this.#stopped('')
    try {
      let ended = await this.#reopen(tools)
      while (ended === undefined) ended = await this.#turn(tools, limitReached(this.#setup))
      return ended
    } finally {
      await close(tools)
    }
  }

  /** What is made ready for the run or a step; undefined when the run is given up before. */
  async #opened<Opened extends RunTools | StepTools>(opening: Promise<Opened>): Promise<Opened | undefined> {
    const { signal } = this.#setup
    const opened = await untilAborted(opening, signal)
    if (opened !== stopped) return opened
    // Most are there soon, and are closed before what they were made from. For others an aborted run does not wait.
    await within(
      opening.then(close, () => {}),
      openingGraceMs,
      undefined,
    )
    return undefined
  }

  #context(): StepContext {
    const { record, deps, model } = this.#setup
    const { capabilities } = model
    return { deps, ...defined({ runId: record.runId, step: record.step || undefined, capabilities }) }
  }

  /** Goes on with a step whose calls were not all over. */
  async #reopen(tools: RunTools): Promise<RunResult | undefined> {
    const { record, reopened } = this.#setup
    if (record.open === undefined || reopened === undefined) return undefined
    const { text } = record.open
    return this.#withStep(tools, (step) => this.#runCalls(text, reopened.calls, step, undefined))
  }

  /**
   * One model request and its calls; the result when the run is over with it. Once a limit is reached it is the
   * last one: without tools, so that the person gets an answer, and calls in it are dropped.
   */
  async #turn(tools: RunTools, limit: FinishReason | undefined): Promise<RunResult | undefined> {
    const { record } = this.#setup
    // Until the model has answered this is not a step: whoever takes the run up again asks anew.
    await this.#setup.save('running')
    record.step += 1
    return this.#withStep(tools, async (step) => {
      const offered = this.#offered(step, limit)
      emit(this.#setup, { type: 'step-start', tools: offered.map(({ name }) => name), notes: step.notes })
      const { text, calls, finish, aborted } = await this.#ask(offered)
      if (aborted) return this.#stopped(text)
      const cut = finish === 'length' || finish === 'content-filter' ? finish : undefined
      const kept =
        limit === undefined ? calls : calls.filter(({ name }) => offered.some((tool) => tool.name === name))
      if (kept.length > 0) {
        const requests = kept.map((request) => ({ request }))
        return this.#runCalls(text, requests, step, cut, limit)
      }
      this.#endStep(text, [])
      return finishAnswer(this.#setup, limit, cut)
    })
  }

  /** Without a limit all; in the last turn only the tool through which the final answer comes, if there is one. */
  #offered({ offered }: StepTools, limit: FinishReason | undefined): readonly ToolDefinition[] {
    const definitions = offered.map(({ definition }) => definition)
    if (limit === undefined) return definitions
    const { endStrategy } = this.#setup
    return endStrategy === undefined ? [] : definitions.filter(({ name }) => name === outputToolName)
  }

  async #withStep(
    tools: RunTools,
    run: (step: StepTools) => Promise<RunResult | undefined>,
  ): Promise<RunResult | undefined> {
    const step = await this.#opened(tools.forStep(this.#context(), this.#setup.record.budget))
    if (step === undefined) return this.#stopped('')
    try {
      return await run(step)
    } finally {
      await close(step)
    }
  }

  async #ask(tools: readonly ToolDefinition[]): Promise<ModelMessage> {
    const { model, instructions, signal, record } = this.#setup
    const request = defined({ instructions, messages: record.messages, tools, signal })
    const message = await readModel(model, request, (text) => emit(this.#setup, { type: 'text-delta', text }))
    record.addUsage(message.usage)
    return message
  }

  /** Runs the calls of a step; the result when the run is over, or pauses, with them. */
  async #runCalls(
    text: string,
    calls: Parameters<typeof runCalls>[2],
    step: StepTools,
    cut: string | undefined,
    limit?: FinishReason,
  ): Promise<RunResult | undefined> {
    const { record, signal, texts } = this.#setup
    const results = await runCalls(this.#setup, text, calls, step, cut)
    if (results.some(({ outcome }) => outcome === 'deferred') && !signal.aborted) {
      await this.#setup.save('paused')
      return record.paused(text, results, this.#setup.revision(), texts)
    }
    this.#endStep(text, results)
    if (signal.aborted) return this.#stopped('')
    return finishStep(this.#setup, results, step, limit)
  }

  #endStep(text: string, results: readonly ToolResult[]): void {
    this.#setup.record.addStep(text, results)
    emit(this.#setup, { type: 'step-end', results })
  }

  /** The end of a run whose signal aborted: by the deadline it is a result, else it is an error. */
  #stopped(text: string): RunResult {
    const { record, deadlinePassed, signal } = this.#setup
    if (record.open !== undefined) this.#endStep(record.open.text, cancelledCalls(this.#setup))
    if (text !== '') record.messages.push({ role: 'assistant', text })
    const result = record.result('stopped', 'deadline')
    if (deadlinePassed()) return result
    throw new RunError('The run was aborted.', result, { aborted: true, cause: signal.reason })
  }
}

// A source that cannot be closed must not cost the run its ending; its error still reaches the app's error handling.
async function close(tools: RunTools | StepTools): Promise<void> {
  try {
    await tools.close()
  } catch (error) {
    throwLater(error)
  }
}
