import { linkedAbort } from '../tool/abort.ts'
import { EventQueue } from './event-queue.ts'
import type { AgentEvent, RunResult } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'

/** A run that waits for its signal and its listener. */
export type UnstartedRun = Omit<RunSetup, 'signal' | 'deadlinePassed' | 'tell'>

/** Starts a run and yields its events. Leaving it early aborts the run and waits for its end. */
export async function* streamRun(
  run: UnstartedRun,
  signal: AbortSignal | undefined,
  start: (setup: RunSetup) => Promise<RunResult>,
): AsyncGenerator<AgentEvent, void> {
  const queue = new EventQueue<AgentEvent>()
  const linked = linkedAbort(signal)
  linked.startDeadline(run.limits.deadlineMs ?? Number.POSITIVE_INFINITY, "the run's deadline")
  const { deadlinePassed } = linked
  const tell = (event: AgentEvent) => queue.push(event)
  const running = start({ ...run, signal: linked.signal, deadlinePassed, tell })
  const end = () => queue.end()
  const ended = running.then(end, end)
  try {
    yield* queue.drain()
    await running
  } finally {
    linked.abort(new DOMException('the run is over', 'AbortError'))
    linked.release()
    await ended
  }
}
