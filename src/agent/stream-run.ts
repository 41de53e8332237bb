import { linkedAbort } from '../tool/abort.ts'
import { throwLater } from '../tool/throw-later.ts'
import type { AgentEvent, RunResult } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'

/** A run that waits for its start. */
export interface UnstartedRun extends Omit<RunSetup, 'signal' | 'deadlinePassed' | 'tell'> {
  /** Aborts the run. */
  readonly outerSignal: AbortSignal | undefined
  readonly observers: readonly ((event: AgentEvent) => void)[]
  start(setup: RunSetup): Promise<RunResult>
}

/** Runs a run to its end. */
export async function finishRun(run: UnstartedRun): Promise<RunResult> {
  const { running, end } = begin(run)
  try {
    return await running
  } finally {
    end()
  }
}

/** Starts a run and yields its events, in order and without loss. Leaving it early aborts the run and waits for its end. */
export async function* streamRun(
  make: () => UnstartedRun | Promise<UnstartedRun>,
): AsyncGenerator<AgentEvent, void> {
  const events: AgentEvent[] = []
  let wake = () => {}
  const { running, end } = begin(await make(), (event) => {
    events.push(event)
    wake()
  })
  let isOver = false
  const over = () => {
    isOver = true
    wake()
  }
  const ended = running.then(over, over)
  try {
    while (!isOver || events.length > 0) {
      // Those that come meanwhile are taken too.
      for (const event of events) yield event
      events.length = 0
      if (!isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    await running
  } finally {
    end()
    await ended
  }
}

function begin(run: UnstartedRun, listener?: (event: AgentEvent) => void) {
  const { outerSignal, limits, observers } = run
  const linked = linkedAbort(outerSignal)
  const { signal } = linked
  const deadlinePassed = () => linked.deadlinePassed()
  linked.startDeadline(limits.deadlineMs ?? Number.POSITIVE_INFINITY, "the run's deadline")
  const tellAll = (event: AgentEvent) => {
    for (const observer of observers) {
      try {
        observer(event)
      } catch (error) {
        throwLater(error)
      }
    }
    listener?.(event)
  }
  const tell = observers.length === 0 ? listener : tellAll
  // The run is this one's alone: a copy of so many members would take much memory.
  const running = run.start(Object.assign(run, { signal, deadlinePassed, tell }))
  const end = () => {
    linked.abort(overReason())
    linked.release()
  }
  return { running, end }
}

// Made once: each would record where it was made, which says nothing here.
let over: DOMException | undefined

function overReason(): DOMException {
  over ??= new DOMException('the run is over', 'AbortError')
  return over
}
