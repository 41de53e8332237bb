import {
  type ExecutionEvent,
  ToolExecutor,
  type ToolSource,
  WorkerToolset,
  type WorkerToolsetOptions,
} from 'offstage'
import { onTestFinished } from 'vitest'
import { type Listener, listen } from '../../support/worker/say.ts'
import { type WatchedWorkers, watchWorkers } from '../../support/worker/watched-workers.ts'
import type { tools } from './kit.worker.ts'

/** Makes a worker with the tools of kit.worker.ts. */
export const kitWorker = (): Worker =>
  new Worker(new URL('./kit.worker.ts', import.meta.url), { type: 'module' })

/** Calls back when a test ends. Tests that run at the same time pass the one of their own context. */
type WhenFinished = (end: () => void | Promise<void>) => void

/** How long a worker may take to start: a guard against hanging on a busy machine. In milliseconds. */
export const patientMs = 60_000

/** A toolset over kit.worker.ts that is closed when the test ends. */
export function openKit(
  options: WorkerToolsetOptions = {},
  whenFinished: WhenFinished = onTestFinished,
): WorkerToolset<typeof tools> {
  const kit = new WorkerToolset<typeof tools>(kitWorker, { readyTimeoutMs: patientMs, ...options })
  whenFinished(() => kit.close())
  return kit
}

/** The same behind the gate, with the events of its calls. */
export function gatedKit(
  options: WorkerToolsetOptions & { readonly timeoutMs?: number } = {},
  whenFinished?: WhenFinished,
): {
  readonly kit: WorkerToolset<typeof tools>
  readonly executor: ToolExecutor
  readonly events: ExecutionEvent[]
} {
  const { timeoutMs, ...rest } = options
  const kit = openKit(rest, whenFinished)
  const events: ExecutionEvent[] = []
  const executor = new ToolExecutor({
    tools: kit,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    onEvent: (event) => events.push(event),
  })
  return { kit, executor, events }
}

/** Workers of the page, watched while the test runs: it must run alone, or it would see those of others. */
export function watchHere(): WatchedWorkers {
  const workers = watchWorkers()
  onTestFinished(() => workers.restore())
  return workers
}

/** What workers say while the test runs. */
export function listenHere(whenFinished: WhenFinished = onTestFinished): Listener {
  const listener = listen()
  whenFinished(() => listener.close())
  return listener
}

/**
 * Has a pool of one lane start its spare now: while the lane is busy, the spare looks at the next call. How
 * long a worker takes to start is then no part of what a test measures.
 */
export async function startSpare(toolset: ToolSource): Promise<void> {
  const busy = toolset.call('burn', { ms: 300 })
  await toolset.preflight('burn', { ms: 0 })
  await busy
}
