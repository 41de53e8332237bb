import { ToolExecutor, type ToolExecutorOptions, type ToolMiddleware, WorkerToolset } from 'offstage'
import type { tools } from './tools.worker.ts'

const settings = new URLSearchParams(location.search)

/** Milliseconds by which the measured path is delayed, to show that the figures see it. */
export const handicapMs = Number(settings.get('handicap'))

/** How many times each figure is measured; the median counts. */
export const runs = Number(settings.get('runs'))

/** A pool of two lanes. */
export function makePool(): WorkerToolset<typeof tools> {
  return new WorkerToolset<typeof tools>(
    () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
    { size: 2 },
  )
}

/** What is measured: an executor over a pool, with the handicap in its path. */
export function measured(
  workerTools: WorkerToolset<typeof tools>,
  options: Omit<ToolExecutorOptions<never>, 'tools' | 'middleware'> = {},
): ToolExecutor {
  const delay: ToolMiddleware = { before: () => busy(handicapMs) }
  return new ToolExecutor({ ...options, tools: [workerTools], middleware: handicapMs > 0 ? [delay] : [] })
}

/** Blocks the thread. */
export function busy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[middle - 1] ?? 0, sorted[middle] ?? 0]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

/** How long `run` takes, in milliseconds. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

/**
 * The longest time in which this thread could do nothing else while `run` went on, in milliseconds. Looked at
 * every few milliseconds: a meter that never rests would take a core from what it measures.
 */
export async function longestStall(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 4)
  await run()
  clearInterval(timer)
  look()
  return longest
}
