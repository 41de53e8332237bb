import { ToolExecutor, WorkerToolset } from 'offstage'
import { median, openPool, timed, wait } from './measure.ts'
import type { tools } from './tools.worker.ts'

const runs = 9
const timeoutMs = 200
const kills = 200

/** What `bench kill` reports, apart from the workers that are left. */
export async function measureKill(): Promise<Record<string, number>> {
  const { workerTools, executor } = await openPool()
  const impatient = new ToolExecutor({ tools: [workerTools], timeoutMs })
  const add = () => executor.execute({ name: 'add', input: { a: 1, b: 2 } })
  const after: number[] = []
  const extra: number[] = []
  for (let run = 0; run < runs; run += 1) {
    // Long enough for the spare of the last kill to be ready again.
    await wait(300)
    for (let index = 0; index < 20; index += 1) await add()
    const usual = median([await timed(add), await timed(add), await timed(add)])
    after.push(
      await timed(async () => {
        const { outcome } = await impatient.execute({ name: 'runaway', input: {} })
        if (outcome !== 'timeout') throw new Error(`the runaway ended as ${outcome}`)
      }),
    )
    extra.push((await timed(add)) - usual)
  }
  await workerTools.close()
  return { resultAfterMs: median(after), nextCallExtraMs: median(extra) }
}

let survivor: WorkerToolset<typeof tools> | undefined

/** Ends many runaways, and returns how many workers the pool should have left. */
export async function killMany(): Promise<number> {
  survivor = new WorkerToolset<typeof tools>(
    () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
    { size: 2 },
  )
  const executor = new ToolExecutor({ tools: [survivor], timeoutMs: 20 })
  for (let index = 0; index < kills; index += 1) await executor.execute({ name: 'runaway', input: {} })
  const { outcome } = await executor.execute({ name: 'add', input: { a: 1, b: 2 } })
  if (outcome !== 'success') throw new Error(`after ${kills} kills a call ends as ${outcome}`)
  await wait(1_500)
  // Two lanes and the spare.
  return 3
}
