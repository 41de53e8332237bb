import { ToolExecutor, WorkerToolset } from 'offstage'
import { expect, it } from 'vitest'

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

it.skipIf(globalThis.gc === undefined)(
  'G05 a slow call answers although nothing else refers to its worker while memory is collected',
  async () => {
    let settled = false
    const call = slowCall().finally(() => {
      settled = true
    })
    while (!settled) {
      // Garbage of our own, and then the collector.
      Array.from({ length: 100_000 }, (_, index) => ({ index }))
      globalThis.gc?.()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await call).response.text).toBe('kept')
  },
)
