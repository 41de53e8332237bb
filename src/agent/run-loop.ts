import type { RunTools, StepTools } from '../execution/run-tools.ts'
import type { StepCall } from '../execution/step-call.ts'
import { stopped, untilAborted } from '../tool/abort.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { StepContext } from '../tool/step-context.ts'
import { throwLater } from '../tool/throw-later.ts'
import { within } from '../tool/time-limit.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { isPromise } from '../tool/when-done.ts'
import { type EarlyCalls, earlyCalls } from './early-calls.ts'
import { emit } from './emit.ts'
import { finishAnswer, finishStep, limitReached } from './finish.ts'
import { outputToolName } from './output-tool.ts'
import { readModel } from './read-model.ts'
import { RunError } from './run-error.ts'
import type { RunRecord } from './run-record.ts'
import type { FinishReason, RunResult } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'
import { RunStateError } from './run-state-error.ts'
import { type MessageEvent, type ModelMessage, type Spoken, spoken } from './spoken-message.ts'
import { cancelledCalls, runCalls } from './step-calls.ts'

/** What is being made ready when its run is aborted gets this long to come, in milliseconds. */
const openingGraceMs = 100

/**
 * The agent's loop: model, calls, model, until the model answers, calls wait for an answer, or a limit ends it.
 *
 * @throws {@link RunError} when the signal aborts (not by the deadline) or the model fails.
 */
export async function runLoop(setup: RunSetup): Promise<RunResult> {
  const { record, reopened } = setup
  try {
    const messages = reopened === undefined ? record.messages.slice(-1) : []
    emit(setup, { type: 'run-start', agent: record.agent, messages, resumed: reopened !== undefined })
    const ended = await new Loop(setup).run()
    const { alreadyAnswered = [] } = reopened ?? {}
    const result = alreadyAnswered.length === 0 ? ended : { ...ended, alreadyAnswered }
    // A paused run was saved before its state was taken.
    if (result.status !== 'paused') await setup.save(result.status)
    emit(setup, { type: result.status === 'paused' ? 'paused' : 'done', result })
    return result
  } catch (error) {
    // An aborted run is over; one whose model failed can be resumed where it stood.
    if (error instanceof RunError) await setup.save('stopped')?.catch(() => {})
    const failure = asRunError(error, record)
    emit(setup, { type: 'failed', error: failure })
    throw failure
  }
}

function asRunError(error: unknown, record: RunRecord): unknown {
  const known = error instanceof RunError || error instanceof RunStateError
  if (known || error instanceof ToolRegistrationError) return error
  const message = `Step ${record.step} failed: ${errorToData(error).message}`
  return new RunError(message, record.result('stopped', 'answer'), { aborted: false, cause: error })
}

class Loop {
  readonly #setup: RunSetup
  /** The tools that the model was offered last, if any. */
  #lastOffered: readonly ToolDefinition[] | undefined

  constructor(setup: RunSetup) {
    this.#setup = setup
  }

  async run(): Promise<RunResult> {
    const { executor } = this.#setup
    const tools = await this.#opened(executor.openRun(this.#context()))
    if (tools === undefined) return this.#stopped()
    try {
      let ended = await this.#reopen(tools)
      while (ended === undefined) ended = await this.#turn(tools, limitReached(this.#setup))
      return ended
    } finally {
      if (tools.close !== undefined) await close(tools)
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
    const { open } = record
    return this.#withStep(tools, (step) => this.#runCalls(open, reopened.calls, step))
  }

  /**
   * One model request and its calls; the result when the run is over with it. Once a limit is reached it is the
   * last one: without tools, so that the person gets an answer, and calls in it are dropped.
   */
  async #turn(tools: RunTools, limit: FinishReason | undefined): Promise<RunResult | undefined> {
    const { record } = this.#setup
    // Until the model has answered this is not a step: whoever takes the run up again asks anew.
    const saving = this.#setup.save('running')
    if (saving !== undefined) await saving
    record.step += 1
    return this.#withStep(tools, async (step) => {
      const offered = this.#offered(step, limit)
      emit(this.#setup, { type: 'step-start', tools: offered.map(({ name }) => name), notes: step.notes })
      const early = this.#setup.eagerStart && limit === undefined ? earlyCalls(this.#setup, step) : undefined
      const message = await this.#ask(offered, step, early)
      const { calls, finish, broken } = message
      if (broken !== undefined) return this.#brokenOff(message, broken.cause, early)
      const kept = calls.filter(
        ({ request }) => limit === undefined || offered.some(({ name }) => name === request.name),
      )
      const said = spoken(message, kept)
      const cut = finish === 'length' || finish === 'content-filter' ? finish : undefined
      if (kept.length > 0) return this.#runCalls(said, kept, step, cut, limit)
      return this.#endStep(said, [], () => finishAnswer(this.#setup, limit, cut))
    })
  }

  /** Keeps what a message said before it broke off, and its calls that had started by then. */
  async #brokenOff(message: ModelMessage, cause: unknown, early: EarlyCalls | undefined): Promise<RunResult> {
    const results = (await early?.end(message.calls)) ?? []
    const ids = results.map(({ call }) => call)
    const said = spoken(message, ids)
    if (said.text || said.parts) this.#endStep(said, results)
    if (this.#setup.signal.aborted) return this.#stopped()
    throw cause
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
    const { record, signal } = this.#setup
    const opening = tools.forStep(this.#context(), record.budget)
    // What is there at once was not made for the step: nothing of it has to be closed.
    const step = isPromise(opening) ? await this.#opened(opening) : signal.aborted ? undefined : opening
    if (step === undefined) return this.#stopped()
    try {
      return await run(step)
    } finally {
      if (step.close !== undefined) await close(step)
    }
  }

  async #ask(
    tools: readonly ToolDefinition[],
    { offered, notes }: StepTools,
    early: EarlyCalls | undefined,
  ): Promise<ModelMessage> {
    const { model, signal, record } = this.#setup
    if (tools.length > 0) this.#lastOffered = tools
    // A run that was saved in between has lost what it offered last: it is what it would offer now.
    const last = this.#lastOffered ?? offered.map(({ definition }) => definition)
    const closedTools = tools.length === 0 && last.length > 0 ? last : undefined
    const instructions = this.#instructions(notes)
    const request = defined({ instructions, messages: record.messages, tools, closedTools, signal })
    const tell = this.#setup.tell && ((event: MessageEvent) => emit(this.#setup, event))
    const message = await readModel(model, request, { tell, begin: early?.begin })
    record.addUsage(message.usage)
    return message
  }

  /** The app's, and which tools the model would look for in vain. */
  #instructions(notes: StepTools['notes']): string | undefined {
    const { instructions, texts } = this.#setup
    const failed = notes.flatMap((note) => (note.kind === 'failed' ? [note.source] : []))
    if (failed.length === 0) return instructions
    return [instructions, texts.unreachable(failed)].filter(Boolean).join('\n\n')
  }

  /** Runs the calls of a step; the result when the run is over, or pauses, with them. */
  async #runCalls(
    said: Spoken,
    calls: readonly StepCall[],
    step: StepTools,
    cut?: string,
    limit?: FinishReason,
  ): Promise<RunResult | undefined> {
    const { record, signal, texts } = this.#setup
    const results = await runCalls(this.#setup, said, calls, step, cut)
    if (results.some(({ outcome }) => outcome === 'deferred') && !signal.aborted) {
      await this.#setup.save('paused')
      return record.paused(said, results, this.#setup.revision(), texts)
    }
    this.#endStep(said, results)
    if (signal.aborted) return this.#stopped()
    return finishStep(this.#setup, results, step, limit)
  }

  /** @param then - May add to the conversation what the step is told of. */
  #endStep(
    said: Spoken,
    results: readonly ToolResult[],
    then?: () => RunResult | undefined,
  ): RunResult | undefined {
    const { record } = this.#setup
    const { messages } = record
    const { length } = messages
    record.addStep(said, results)
    const ended = then?.()
    emit(this.#setup, { type: 'step-end', results, messages: messages.slice(length), usage: record.usage })
    return ended
  }

  /** The end of a run whose signal aborted: by the deadline it is a result, else it is an error. */
  #stopped(): RunResult {
    const { record, deadlinePassed, signal } = this.#setup
    if (record.open !== undefined) this.#endStep(record.open, cancelledCalls(this.#setup))
    const result = record.result('stopped', 'deadline')
    if (deadlinePassed()) return result
    throw new RunError('The run was aborted.', result, { aborted: true, cause: signal.reason })
  }
}

// A source that cannot be closed must not cost the run its ending; its error still reaches the app's error handling.
async function close(tools: RunTools | StepTools): Promise<void> {
  try {
    await tools.close?.()
  } catch (error) {
    throwLater(error)
  }
}
