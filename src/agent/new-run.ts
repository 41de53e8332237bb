import type { ToolExecutor } from '../execution/tool-executor.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { randomId } from '../tool/random-id.ts'
import type { ResumeOptions, RunOptions } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import type { CallAnswers } from './answers.ts'
import type { Message, UserInput } from './message.ts'
import { type ReopenedRun, reopenRun } from './reopen.ts'
import { runLoop } from './run-loop.ts'
import { RunRecord } from './run-record.ts'
import type { RunState } from './run-state.ts'
import type { UnstartedRun } from './stream-run.ts'
import type { ToolPicker } from './tool-picker.ts'
import { validHistory } from './valid-history.ts'

/** What the runs of an agent share. */
export interface Runner<Deps> {
  readonly name: string
  readonly options: AgentOptions<Deps>
  readonly executor: ToolExecutor
  readonly texts: ModelTexts
  readonly pickers: readonly ToolPicker[]
  /** The run that was started last. */
  last?: RunRecord
}

/** A run of its own. */
export function newRun<Deps>(
  runner: Runner<Deps>,
  input: UserInput,
  { messages: given = [], conversation, ...options }: RunOptions<Deps>,
): UnstartedRun {
  const said = typeof input === 'string' ? { text: input } : input
  const messages: readonly Message[] = [...validHistory(given, runner.texts), { role: 'user', ...said }]
  const from = { runId: randomId('run'), agent: runner.name, messages }
  return unstarted(runner, conversation === undefined ? from : { ...from, conversation }, options)
}

/**
 * A run that was paused, or whose page was closed.
 *
 * @throws {@link RunStateError} for a state that this agent cannot go on with, and answers that do not fit.
 */
export function reopenedRun<Deps>(
  runner: Runner<Deps>,
  state: RunState,
  answers: CallAnswers,
  options: ResumeOptions<Deps>,
): UnstartedRun {
  const { name, texts } = runner
  const asksNow = typeof runner.options.confirm === 'function'
  const reopened = reopenRun(state, answers, { agent: name, texts, asksNow })
  return unstarted(runner, reopened.from, options, reopened)
}

function unstarted<Deps>(
  runner: Runner<Deps>,
  from: ConstructorParameters<typeof RunRecord>[0],
  { deps = runner.options.deps, signal: outerSignal, clearTaint }: ResumeOptions<Deps>,
  reopened?: ReopenedRun,
): UnstartedRun {
  const { options, executor, texts, pickers } = runner
  const { model, instructions, limits = {}, store, maxRetries = 1, onExhausted, toolRetriever } = options
  const {
    output,
    endStrategy = 'graceful',
    eagerStart = false,
    observers = [],
    maxResultChars = 16_000,
    resultStore,
    permissions,
  } = options
  const { revision = 0 } = from
  const record = new RunRecord(from, limits.maxToolCalls)
  runner.last = record
  // Member by member: put together from groups it would take twenty times the memory.
  return {
    model,
    instructions,
    limits,
    deps,
    reopened,
    maxRetries,
    eagerStart,
    observers,
    outerSignal,
    executor,
    texts,
    pickers,
    toolRetriever,
    maxResultChars,
    resultStore,
    permissions,
    record,
    clearTaint,
    throwsExhausted: onExhausted === 'throw',
    endStrategy: output === undefined ? undefined : endStrategy,
    save: () => undefined,
    revision: () => revision,
    start: (setup) => store?.['~keeper'].run(setup, store, revision, runLoop) ?? runLoop(setup),
  }
}
