import { afterAll } from 'vitest'
import {
  addCounters,
  type CoverageMap,
  channelName,
  type Described,
  type WorkerCoverage,
} from './counters.ts'

/** A worker that is still alive tells its last counters within this time, in milliseconds. */
const lastWordMs = 150

// Vitest reads the counters of the page alone; code that runs in a worker would count as never run.
const described: CoverageMap = {}
const workers = new Map<string, string>()
const channel = new BroadcastChannel(channelName)
channel.addEventListener('message', ({ data }: MessageEvent<WorkerCoverage | Described>) => {
  if ('described' in data) Object.assign(described, data.described)
  if (!('counters' in data)) return
  if (!workers.has(data.worker)) askFor(Object.keys(JSON.parse(data.counters)))
  workers.set(data.worker, data.counters)
})

function askFor(files: readonly string[]): void {
  const undescribed = files.filter((file) => page()[file] === undefined && described[file] === undefined)
  if (undescribed.length > 0) channel.postMessage({ undescribed })
}

function page(): CoverageMap {
  const scope = globalThis as { __VITEST_COVERAGE__?: CoverageMap }
  scope.__VITEST_COVERAGE__ ??= {}
  return scope.__VITEST_COVERAGE__
}

afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, lastWordMs))
  channel.close()
  const counted = page()
  for (const text of workers.values()) {
    for (const [file, counters] of Object.entries(JSON.parse(text) as CoverageMap)) {
      const known = counted[file]
      if (known !== undefined) addCounters(known, counters)
      else if (described[file] !== undefined) counted[file] = { ...described[file], ...counters }
    }
  }
})
