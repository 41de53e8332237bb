import { asRunError } from './as-run-error.ts'
import { clearTaint } from './clear-taint.ts'
import { emit } from './emit.ts'
import { endLongResults } from './long-results.ts'
import { RunError } from './run-error.ts'
import type { RunResult } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'
import { RunSteps } from './run-steps.ts'

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
    clearTaint(setup)
    const ended = await new RunSteps(setup).run()
    const { alreadyAnswered = [] } = reopened ?? {}
    const result = alreadyAnswered.length === 0 ? ended : { ...ended, alreadyAnswered }
    // A paused run was saved before its state was taken.
    if (result.status !== 'paused') {
      await setup.save(result.status)
      await endLongResults(setup)
    }
    emit(setup, { type: result.status === 'paused' ? 'paused' : 'done', result })
    return result
  } catch (error) {
    // An aborted run is over; one whose model failed can be resumed where it stood.
    if (error instanceof RunError) {
      await setup.save('stopped')?.catch(() => {})
      await endLongResults(setup)
    }
    const failure = asRunError(error, record)
    emit(setup, { type: 'failed', error: failure })
    throw failure
  }
}
