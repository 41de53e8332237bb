import { parseArgs } from 'node:util'
import { inBrowser } from './browser.mjs'
import { measureBundle } from './bundle.mjs'
import { measureColdImport } from './cold-import.mjs'
import { measureMcp } from './mcp.mjs'
import { measurePeers } from './peers.mjs'

/**
 * `npm run -s bench -- NAME [--json] [--handicap MS] [--runs N] [--harness DIR]`: one benchmark, as one JSON object
 * `{ name, figures }` or as lines. `--handicap` delays the measured path, to show that the figures see it.
 */

/** @typedef {import('./browser.mjs').BenchOptions & { harness: string }} BenchOptions */

/** Runs between two looks at the heap. */
const heapRuns = 1_000

/** @type {Record<string, (options: BenchOptions) => Promise<Record<string, number>>>} */
const benches = {
  workers: (options) => inBrowser(options, (page) => page.evaluate(() => bench.measureWorkers())),
  kill: (options) =>
    inBrowser(options, async (page, browser) => {
      const figures = await page.evaluate(() => bench.measureKill())
      const expected = await page.evaluate(() => bench.killMany())
      const session = await browser.newBrowserCDPSession()
      const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] })
      const alive = targetInfos.filter(({ type }) => type === 'worker').length
      return { ...figures, leakedWorkers: alive - expected }
    }),
  loop: (options) =>
    inBrowser(options, async (page) => {
      const figures = {
        ...(await page.evaluate(() => bench.measureLoop())),
        ...(await page.evaluate(() => bench.measureStream())),
      }
      const session = await page.context().newCDPSession(page)
      const usedBytes = async () => {
        await session.send('HeapProfiler.collectGarbage')
        return (await session.send('Runtime.getHeapUsage')).usedSize
      }
      await page.evaluate((count) => bench.runMany(count), heapRuns)
      const before = await usedBytes()
      await page.evaluate((count) => bench.runMany(count), heapRuns)
      return { ...figures, heapGrowthBytesPerRun: ((await usedBytes()) - before) / heapRuns }
    }).then(async (figures) => ({ ...figures, coldImportMs: await measureColdImport(options.runs) })),
  mcp: measureMcp,
  bundle: async ({ handicapMs }) => {
    if (handicapMs > 0) throw new Error('bundle counts bytes: --handicap has no path to delay there.')
    return (await measureBundle()).figures
  },
  peers: async ({ handicapMs, harness }) => {
    if (harness === '')
      throw new Error('peers needs --harness DIR, the installed harness that runs the others.')
    const { chat } = (await measureBundle()).figures
    return { ...(await measurePeers(harness, handicapMs)), ...(chat === undefined ? {} : { appBytes: chat }) }
  },
}

const usage = `Usage: npm run -s bench -- NAME [--json] [--handicap MS] [--runs N] [--harness DIR]
NAME is one of ${Object.keys(benches).join(', ')}; MS are milliseconds, 0 by default; N is 9 by default.`

try {
  const { name, json, ...options } = readArguments()
  const figures = await benches[name]?.(options)
  if (json) console.log(JSON.stringify({ name, figures }))
  else {
    for (const [key, figure] of Object.entries(figures ?? {})) {
      console.log(`${key.padEnd(18)} ${Number(figure.toFixed(3))}`)
    }
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      handicap: { type: 'string', default: '0' },
      runs: { type: 'string', default: '9' },
      harness: { type: 'string', default: '' },
    },
  })
  const [name, ...more] = positionals
  const handicapMs = Number(values.handicap)
  const runs = Number(values.runs)
  const known = name !== undefined && name in benches && more.length === 0
  if (!known || !(handicapMs >= 0) || !(Number.isInteger(runs) && runs > 0)) throw new Error(usage)
  return { name, json: values.json, handicapMs, runs, harness: values.harness }
}
