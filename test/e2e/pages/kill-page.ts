import { ToolExecutor, WorkerToolset } from 'offstage'
import type { tools } from './kill.worker.ts'
import { deadlineMs } from './kill-tools.ts'

/** A file that has not grown for this long is still. In milliseconds. */
const stillForMs = 1_500
/** How long is waited for that, in milliseconds. */
const patienceMs = 15_000

/** What the page saw of one kill. Sizes in bytes, times in milliseconds. */
export interface KillReport {
  readonly outcome: string
  /** From the tool's start to its result. */
  readonly tookMs: number
  /** What the call may take at most by its deadline and its grace. */
  readonly deadlineMs: number
  /** While the tool ran, one look after the other. */
  readonly sizesBefore: readonly number[]
  /** After its result: how long the file still grew, or undefined when it did not stop. */
  readonly grewForMs: number | undefined
  readonly longestGapMs: number
  readonly frames: number
  /** What the next call of the pool of one lane said. */
  readonly next: string
  readonly lanes: readonly (string | undefined)[]
}

/** Runs the endless tool to its end and watches its file and the frames of the page. */
async function kill(): Promise<KillReport> {
  const pool = new WorkerToolset<typeof tools>(
    () => new Worker(new URL('./kill.worker.ts', import.meta.url), { type: 'module' }),
    { size: 1 },
  )
  const file = `endless-${crypto.randomUUID()}`
  const executor = new ToolExecutor({ tools: pool })
  await pool.start()
  const frames = watchFrames()
  const call = executor.execute({ name: 'write_forever', input: { file } })
  const sizesBefore = await sizesWhile(file, call)
  const killed = await call
  const next = await executor.execute({ name: 'answer', input: {} })
  const { longestGapMs, count } = frames.stop()
  const grewForMs = await growthAfter(file)
  await pool.close()
  return {
    outcome: killed.outcome,
    tookMs: killed.durationMs ?? 0,
    deadlineMs,
    sizesBefore,
    grewForMs,
    longestGapMs,
    frames: count,
    next: next.response.text,
    lanes: [killed.lane, next.lane],
  }
}

async function sizesWhile(file: string, call: Promise<unknown>): Promise<number[]> {
  let over = false
  const ended = call.then(() => {
    over = true
  })
  const sizes: number[] = []
  while (!over) {
    sizes.push(await sizeOf(file))
    await Promise.race([ended, wait(100)])
  }
  return sizes
}

// Chromium ends a busy worker for good only some seconds after `terminate()`: it first waits for it to end
// by itself (`kForcibleTerminationDelay` in Blink, 2 s). Only then can the file be still.
async function growthAfter(file: string): Promise<number | undefined> {
  const startedAt = performance.now()
  let grewAt = startedAt
  let size = await sizeOf(file)
  while (performance.now() - grewAt < stillForMs) {
    if (performance.now() - startedAt > patienceMs) return undefined
    await wait(100)
    const next = await sizeOf(file)
    if (next > size) grewAt = performance.now()
    size = next
  }
  return grewAt - startedAt
}

async function sizeOf(file: string): Promise<number> {
  try {
    const folder = await navigator.storage.getDirectory()
    return (await (await folder.getFileHandle(file)).getFile()).size
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return 0
    throw error
  }
}

function watchFrames(): { stop(): { longestGapMs: number; count: number } } {
  let longestGapMs = 0
  let count = 0
  let before: number | undefined
  let stopped = false
  const tick = (at: number) => {
    if (stopped) return
    longestGapMs = Math.max(longestGapMs, at - (before ?? at))
    before = at
    count += 1
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
  const stop = () => {
    stopped = true
    return { longestGapMs, count }
  }
  return { stop }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

Object.assign(globalThis, { kill })
