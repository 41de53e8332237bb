import { type CoverageMap, channelName, counters, type WorkerCoverage } from './counters.ts'

/** How often a worker tells how far it got, in milliseconds: it may be ended at any time. */
const everyMs = 50

// Imported first of all in each worker of the tests when coverage is measured: see test/run/worker-coverage.ts.
const worker = crypto.randomUUID()
const channel = new BroadcastChannel(channelName)
let told: readonly string[] = []

setInterval(() => {
  const all = (globalThis as { __VITEST_COVERAGE__?: CoverageMap }).__VITEST_COVERAGE__ ?? {}
  const files = Object.keys(all)
  // What the counters stand for is large and never changes: a file is described once.
  const added = files.filter((file) => !told.includes(file))
  told = files
  const described = Object.fromEntries(added.map((file) => [file, all[file]]))
  channel.postMessage({ worker, described, counters: counters(all) } as WorkerCoverage)
}, everyMs)
