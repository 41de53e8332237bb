import type { RunTools, StepTools } from '../execution/run-tools.ts'
import type { StepCall } from '../execution/step-call.ts'
import { stopped, untilAborted } from '../tool/abort.ts'
import type { StepContext } from '../tool/step-context.ts'
import { within } from '../tool/time-limit.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { isPromise, type MaybePromise, whenDone } from '../tool/when-done.ts'
import type { Writable } from '../tool/writable.ts'
import { closeTools } from './close-tools.ts'
import { type EarlyCalls, earlyCalls } from './early-calls.ts'
import { emit } from './emit.ts'
import { finishAnswer, finishStep, limitReached } from './finish.ts'
import { definitionsOf, modelRequest, offeredIn } from './model-request.ts'
import { openTools } from './open-tools.ts'
import { readModel } from './read-model.ts'
import { RunError } from './run-error.ts'
import type { FinishReason, RunResult } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'
import { type MessageEvent, type ModelMessage, type Spoken, spoken } from './spoken-message.ts'
import { cancelledCalls, runCalls } from './step-calls.ts'

/** What is being made ready when its run is aborted gets this long to come, in milliseconds. */
const openingGraceMs = 100

/** The steps of one run, from its tools to its result. */
export class RunSteps {
  readonly #setup: RunSetup
  /** The tools that the model was offered last, if any. */
  #lastOffered: readonly ToolDefinition[] | undefined

  constructor(setup: RunSetup) {
    this.#setup = setup
  }

  async run(): Promise<RunResult> {
    const tools = await this.#opened(openTools(this.#setup, this.#context()))
    if (tools === undefined) return this.#stopped()
    try {
      let ended = await this.#reopen(tools)
      while (ended === undefined) ended = await this.#turn(tools, limitReached(this.#setup))
      return ended
    } finally {
      if (tools.close !== undefined) await closeTools(tools)
    }
  }

  /** What is made ready for the run or a step; undefined when the run is given up before. */
  async #opened<Opened extends RunTools | StepTools>(opening: Promise<Opened>): Promise<Opened | undefined> {
    const { signal } = this.#setup
    const opened = await untilAborted(opening, signal)
    if (opened !== stopped) return opened
    // Most are there soon, and are closed before what they were made from. For others an aborted run does not wait.
    await within(
      opening.then(closeTools, () => {}),
      openingGraceMs,
      undefined,
    )
    return undefined
  }

  #context(): StepContext {
    const { record, deps, model } = this.#setup
    const context: Writable<StepContext> = { deps, runId: record.runId }
    if (record.step > 0) context.step = record.step
    if (model.capabilities !== undefined) context.capabilities = model.capabilities
    return context
  }

  /** Goes on with a step whose calls were not all over. */
  async #reopen(tools: RunTools): Promise<RunResult | undefined> {
    const { record, reopened } = this.#setup
    if (record.open === undefined || reopened === undefined) return undefined
    const { open } = record
    return this.#withStep(tools, async (step) => {
      record.taint.offer(step.offered)
      return this.#afterCalls(open, await runCalls(this.#setup, open, reopened.calls, step), step)
    })
  }

  /**
   * One model request and its calls; the result when the run is over with it. Once a limit is reached it is the
   * last one: without tools, so that the person gets an answer, and calls in it are dropped.
   */
  #turn(tools: RunTools, limit: FinishReason | undefined): MaybePromise<RunResult | undefined> {
    const { record } = this.#setup
    const begin = () => {
      record.step += 1
      return this.#withStep(tools, (step) => this.#speak(step, limit))
    }
    // Until the model has answered this is not a step: whoever takes the run up again asks anew.
    const saving = this.#setup.save('running')
    return saving === undefined ? begin() : saving.then(begin)
  }

  #speak(step: StepTools, limit: FinishReason | undefined): Promise<RunResult | undefined> {
    const { tell, eagerStart, record } = this.#setup
    const { picked } = record
    const offered = offeredIn(step, limit, this.#setup)
    record.taint.offer(step.offered)
    if (tell !== undefined) {
      const tools = offered.map(({ name }) => name)
      const why = picked && { picked: picked.filter(({ name }) => tools.includes(name)) }
      emit(this.#setup, { type: 'step-start', tools, notes: step.notes, ...why })
    }
    // Most steps start none early: what starts them is made for the first.
    let early: EarlyCalls | undefined
    const begin: EarlyCalls['begin'] = (call, before) => {
      early ??= earlyCalls(this.#setup, step)
      return early.begin(call, before)
    }
    const asked = this.#ask(offered, step, eagerStart && limit === undefined ? begin : undefined)
    return asked.then((message) => {
      record.addUsage(message.usage)
      const { broken } = message
      if (broken !== undefined) return this.#brokenOff(message, broken.cause, early)
      return this.#answer(message, step, limit, offered)
    })
  }

  /** Does what a whole message asks for. */
  #answer(
    message: ModelMessage,
    step: StepTools,
    limit: FinishReason | undefined,
    offered: readonly ToolDefinition[],
  ): MaybePromise<RunResult | undefined> {
    const { calls, finish } = message
    const isOffered = ({ request }: StepCall) => offered.some(({ name }) => name === request.name)
    const kept = limit === undefined ? calls : calls.filter(isOffered)
    const said = spoken(message, kept)
    const cut = finish === 'length' || finish === 'content-filter' ? finish : undefined
    if (kept.length === 0) return this.#endStep(said, [], () => finishAnswer(this.#setup, limit, cut))
    return whenDone(runCalls(this.#setup, said, kept, step, cut), (results) =>
      this.#afterCalls(said, results, step, limit),
    )
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

  #withStep(
    tools: RunTools,
    run: (step: StepTools) => Promise<RunResult | undefined>,
  ): MaybePromise<RunResult | undefined> {
    const { record, signal } = this.#setup
    const opening = tools.forStep(this.#context(), record.budget)
    const start = (step: StepTools | undefined) => {
      if (step === undefined) return this.#stopped()
      return step.close === undefined ? run(step) : (async () => run(step))().finally(() => closeTools(step))
    }
    // What is there at once was not made for the step: nothing of it has to be closed.
    return isPromise(opening)
      ? this.#opened(opening).then(start)
      : start(signal.aborted ? undefined : opening)
  }

  #ask(
    tools: readonly ToolDefinition[],
    step: StepTools,
    begin: EarlyCalls['begin'] | undefined,
  ): Promise<ModelMessage> {
    const { model, tell } = this.#setup
    if (tools.length > 0) this.#lastOffered = tools
    // A run that was saved in between has lost what it offered last: it is what it would offer now.
    const request = modelRequest(
      this.#setup,
      tools,
      this.#lastOffered ?? definitionsOf(step.offered),
      step.notes,
    )
    const listener = tell && ((event: MessageEvent) => emit(this.#setup, event))
    return readModel(model, request, { tell: listener, begin })
  }

  /** What the results of a step are to the run: its result when it is over, or pauses, with them. */
  #afterCalls(
    said: Spoken,
    results: readonly ToolResult[],
    step: StepTools,
    limit?: FinishReason,
  ): MaybePromise<RunResult | undefined> {
    const { record, signal, texts } = this.#setup
    if (results.some(({ outcome }) => outcome === 'deferred') && !signal.aborted) {
      const paused = () => record.paused(said, results, this.#setup.revision(), texts)
      return whenDone(this.#setup.save('paused'), paused)
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
    const { record, tell } = this.#setup
    const { messages } = record
    const { length } = messages
    record.addStep(said, results)
    const ended = then?.()
    if (tell !== undefined) {
      emit(this.#setup, { type: 'step-end', results, messages: messages.slice(length), usage: record.usage })
    }
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
