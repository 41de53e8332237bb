import { ToolExecutor, type WorkerToolset } from 'offstage'
import { makePool, measured, median, runs, timed, wait } from './measure.ts'
import type { tools } from './tools.worker.ts'

const timeoutMs = 200
/** Fewer where only the bench itself is tried. */
const kills = runs < 7 ? 40 : 200

/**
 * By then the spare of the last kill is ready, and the ended worker's thread is gone: Chromium lets a busy
 * loop go on for about 2 s, on one of the cores that the next run is measured on.
 */
const restMs = 3_000

/** What `bench kill` reports, apart from the workers that are left. */
export async function measureKill(): Promise<Record<string, number>> {
  const workerTools = makePool()
  await workerTools.start()
  const usual = new ToolExecutor({ tools: [workerTools] })
  const next = measured(workerTools)
  const impatient = measured(workerTools, { timeoutMs })
  const addBy = (executor: ToolExecutor) => executor.execute({ name: 'add', input: { a: 1, b: 2 } })
  const after: number[] = []
  const extra: number[] = []
  for (let run = 0; run < runs; run += 1) {
    await wait(restMs)
    for (let index = 0; index < 20; index += 1) await addBy(usual)
    const usualMs = median([
      await timed(() => addBy(usual)),
      await timed(() => addBy(usual)),
      await timed(() => addBy(usual)),
    ])
    after.push(
      await timed(async () => {
        const { outcome } = await impatient.execute({ name: 'runaway', input: {} })
        if (outcome !== 'timeout') throw new Error(`the runaway ended as ${outcome}`)
      }),
    )
    extra.push((await timed(() => addBy(next))) - usualMs)
  }
  await workerTools.close()
  return { resultAfterMs: median(after), nextCallExtraMs: median(extra) }
}

let survivor: WorkerToolset<typeof tools> | undefined

/** Ends many runaways, and returns how many workers the pool should have left. */
export async function killMany(): Promise<number> {
  survivor = makePool()
  const impatient = new ToolExecutor({ tools: [survivor], timeoutMs: 20 })
  for (let index = 0; index < kills; index += 1) await impatient.execute({ name: 'runaway', input: {} })
  const patient = new ToolExecutor({ tools: [survivor] })
  const { outcome } = await patient.execute({ name: 'add', input: { a: 1, b: 2 } })
  if (outcome !== 'success') throw new Error(`after ${kills} kills a call ends as ${outcome}`)
  await wait(restMs)
  // Two lanes and the spare.
  return 3
}
