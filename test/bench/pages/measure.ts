import { ToolExecutor, type ToolMiddleware, WorkerToolset } from 'offstage'
import type { tools } from './tools.worker.ts'

/** Milliseconds by which the measured path is delayed, to show that the figures see it. */
export const handicapMs = Number(new URLSearchParams(location.search).get('handicap') ?? 0)

/** A pool of two lanes behind an executor, with the handicap in the measured path. */
export async function openPool(): Promise<{
  workerTools: WorkerToolset<typeof tools>
  executor: ToolExecutor
}> {
  const workerTools = new WorkerToolset<typeof tools>(
    () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
    { size: 2 },
  )
  await workerTools.start()
  const delay: ToolMiddleware = { before: () => busy(handicapMs) }
  const executor = new ToolExecutor({ tools: [workerTools], middleware: handicapMs > 0 ? [delay] : [] })
  return { workerTools, executor }
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

/** The longest time in which this thread could do nothing else while `run` went on, in milliseconds. */
export async function longestStall(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  let over = false
  const channel = new MessageChannel()
  channel.port1.onmessage = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!over) channel.port2.postMessage(undefined)
  }
  channel.port2.postMessage(undefined)
  await run()
  over = true
  longest = Math.max(longest, performance.now() - last)
  channel.port1.close()
  return longest
}
