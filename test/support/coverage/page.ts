import { afterAll } from 'vitest'
import { addCounters, type CoverageMap, channelName, type WorkerCoverage } from './counters.ts'

/** A worker that is still alive tells its last counters within this time, in milliseconds. */
const lastWordMs = 150

// Vitest reads the counters of the page alone; code that runs in a worker would count as never run.
const described: CoverageMap = {}
const workers = new Map<string, CoverageMap>()
const channel = new BroadcastChannel(channelName)
channel.addEventListener('message', ({ data }: MessageEvent<WorkerCoverage>) => {
  Object.assign(described, data.described)
  workers.set(data.worker, data.counters)
})

afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, lastWordMs))
  channel.close()
  const scope = globalThis as { __VITEST_COVERAGE__?: CoverageMap }
  scope.__VITEST_COVERAGE__ ??= {}
  const page = scope.__VITEST_COVERAGE__
  for (const files of workers.values()) {
    for (const [file, counted] of Object.entries(files)) {
      const known = page[file]
      if (known !== undefined) addCounters(known, counted)
      else if (described[file] !== undefined) page[file] = { ...described[file], ...counted }
    }
  }
})
