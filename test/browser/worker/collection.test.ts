import { ToolExecutor, WorkerToolset } from 'offstage'
import { expect, it } from 'vitest'
import { engine } from '../engine.ts'

/** A call whose toolset and executor nobody else holds. */
function slowCall(): Promise<{ readonly response: { readonly text: string } }> {
  const workerTools = new WorkerToolset(
    () => new Worker(new URL('./kit.worker.ts', import.meta.url), { type: 'module' }),
    { size: 1 },
  )
  return new ToolExecutor({ tools: [workerTools] }).execute({
    name: 'wait',
    input: { ms: 1_500, id: 'kept' },
  })
}

// Only Chromium lets a page collect its memory when a test wants it: gc(), see test/run/chromium.ts.
it.skipIf(engine !== 'chromium')(
  'G05 a slow call answers although nothing else refers to its worker while memory is collected',
  async () => {
    const { gc: collect } = globalThis
    if (collect === undefined) throw new Error('There is no gc(); see test/run/chromium.ts.')
    let settled = false
    const call = slowCall().finally(() => {
      settled = true
    })
    while (!settled) {
      // Garbage of our own, and then the collector.
      Array.from({ length: 100_000 }, (_, index) => ({ index }))
      collect()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await call).response.text).toBe('kept')
  },
)
