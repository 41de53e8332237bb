import { type CoverageMap, channelName, counters, type Undescribed, type WorkerCoverage } from './counters.ts'

/** How often a worker tells how far it got, in milliseconds: it may be ended at any time. */
const everyMs = 50

// Imported first of all in each worker of the tests when coverage is measured: see test/run/worker-coverage.ts.
const worker = crypto.randomUUID()
const channel = new BroadcastChannel(channelName)
let told = ''

setInterval(() => {
  const current = JSON.stringify(counters(all()))
  if (current === told) return
  told = current
  channel.postMessage({ worker, counters: current } satisfies WorkerCoverage)
}, everyMs)

channel.addEventListener('message', ({ data }: MessageEvent<Partial<Undescribed>>) => {
  const known = all()
  const files = data.undescribed?.filter((file) => known[file] !== undefined) ?? []
  if (files.length === 0) return
  channel.postMessage({ described: Object.fromEntries(files.map((file) => [file, known[file]])) })
})

function all(): CoverageMap {
  return (globalThis as { __VITEST_COVERAGE__?: CoverageMap }).__VITEST_COVERAGE__ ?? {}
}
