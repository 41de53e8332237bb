import { ToolExecutor, WorkerToolset } from 'offstage'
import { expect, it } from 'vitest'
import type { tools } from './basic.worker.ts'

it('runs a tool in a worker', async () => {
  const workerTools = new WorkerToolset<typeof tools>(
    () => new Worker(new URL('./basic.worker.ts', import.meta.url), { type: 'module' }),
  )
  const executor = new ToolExecutor({ tools: workerTools })
  const result = await executor.execute({ name: 'add', input: { a: 1, b: 2 } })
  expect(result).toMatchObject({ outcome: 'success', response: { text: '3', data: 3 }, lane: 'lane-1' })
  const outcome = await workerTools.call('add', { a: 1, b: 2 })
  expect(outcome.kind).toBe('response')
  await workerTools.close()
})
