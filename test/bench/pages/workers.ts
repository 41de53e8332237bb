import { wrap } from 'comlink'
import { burn, calibrate } from './burn.ts'
import { longestStall, makePool, measured, median, runs, timed } from './measure.ts'

const batch = 1_000
const cpuCalls = 8
const cpuMs = 50

interface Span {
  readonly start: number
  readonly end: number
}

/** What `bench workers` reports. */
export async function measureWorkers(): Promise<Record<string, number>> {
  const workerTools = makePool()
  await workerTools.start()
  const executor = measured(workerTools)
  const bareWorker = new Worker(new URL('./bare.worker.ts', import.meta.url), { type: 'module' })
  const bare = wrap<{ add(a: number, b: number): number }>(bareWorker)
  const rounds = calibrate(cpuMs)

  // In turn, call by call: how busy the machine is, and how deep a worker sleeps that waits for work, then
  // counts for both.
  const roundTrips = async () => {
    let bareMs = 0
    let callMs = 0
    for (let index = 0; index < batch; index += 1) {
      bareMs += await timed(() => bare.add(index, 1))
      callMs += await timed(() => executor.execute({ name: 'add', input: { a: index, b: 1 } }))
    }
    return { bareMs, callMs }
  }
  const onPage = async () => {
    for (let index = 0; index < cpuCalls; index += 1) burn(rounds)
  }
  const results: Span[][] = []
  const onPool = async () => {
    const calls = Array.from({ length: cpuCalls }, () => ({ name: 'burn', input: { rounds } }))
    const settled = await executor.executeStep(calls)
    results.push(settled.map((result) => result.response.data as Span))
  }

  await roundTrips()
  const ratios: number[] = []
  const bareUs: number[] = []
  const stalls: number[] = []
  const speedups: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const { bareMs, callMs } = await roundTrips()
    ratios.push(callMs / bareMs)
    bareUs.push((bareMs / batch) * 1_000)
    let pageMs = 0
    let poolMs = 0
    const pageStall = await longestStall(async () => {
      pageMs = await timed(onPage)
    })
    const poolStall = await longestStall(async () => {
      poolMs = await timed(onPool)
    })
    stalls.push(poolStall / pageStall)
    speedups.push(pageMs / poolMs)
  }
  bareWorker.terminate()
  await workerTools.close()
  return {
    roundTripRatio: median(ratios),
    bareCallUs: median(bareUs),
    stallShare: median(stalls),
    overlap: median(results.map(overlapShare)),
    speedup: median(speedups),
  }
}

/** The share of spans that overlap at least one other. */
function overlapShare(spans: readonly Span[]): number {
  const overlapping = spans.filter((span) =>
    spans.some((other) => other !== span && other.start < span.end && span.start < other.end),
  )
  return overlapping.length / spans.length
}
