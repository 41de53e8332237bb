import { parseArgs } from 'node:util'
import { measureAttacks } from './attacks.mjs'
import { inBrowser } from './browser.mjs'
import { measureBundle } from './bundle.mjs'
import { measureColdImport } from './cold-import.mjs'
import { measureDialects } from './dialects.mjs'
import { measureMcp } from './mcp.mjs'
import { measurePeers } from './peers.mjs'
import { measureRetrieval } from './retrieval.mjs'

/**
 * `npm run -s bench -- NAME [--json] [--handicap MS] [--runs N] [--harness DIR]`: one benchmark, as one JSON object
 * `{ name, figures }` or as lines. `--handicap` delays the measured path, to show that the figures see it. `retrieval`
 * also takes `--data DIR [--browser] [--union] [--oracle] [--sizes N,N]`, and tells more than figures; `dialects` takes
 * `--data DIR`, and `attacks` `--every N`, for each Nth of them.
 */

/** @typedef {import('./browser.mjs').BenchOptions & { harness: string, folder: string, every: number }} BenchOptions */
/** @typedef {import('./retrieval.mjs').RetrievalReport} Report */

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
  attacks: measureAttacks,
  dialects: async ({ handicapMs, folder }) => {
    if (handicapMs > 0) throw new Error('dialects counts tools: --handicap has no path to delay there.')
    return measureDialects(folder)
  },
}

const usage = `Usage: npm run -s bench -- NAME [--json] [--handicap MS] [--runs N] [--harness DIR]
  attacks: --every N (each Nth attack; all by default)
  dialects: --data DIR
  retrieval: --data DIR [--browser] [--union] [--oracle] [--sizes N,N]
NAME is one of ${[...Object.keys(benches), 'retrieval'].join(', ')}; MS are milliseconds, 0 by default; N is 9 by default.`

try {
  const { name, json, ...options } = readArguments()
  const report = name === 'retrieval' ? await measureRetrieval(options) : await measureFigures(name, options)
  if (json) console.log(JSON.stringify({ name, ...report }))
  else printLines(report)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

/**
 * @param {string} name
 * @param {BenchOptions} options
 */
async function measureFigures(name, options) {
  return { figures: (await benches[name]?.(options)) ?? {} }
}

/** @param {Partial<Report>} report */
function printLines({ figures = {}, sets = {}, sizes = {}, oracle = {} }) {
  const line = (/** @type {[string, number]} */ [key, figure]) =>
    `${key.padEnd(18)} ${Number(figure.toFixed(3))}`
  for (const entry of Object.entries(figures)) console.log(line(entry))
  for (const [title, values] of Object.entries({ ...sets, ...sizes, oracle })) {
    const entries = Object.entries(values)
    if (entries.length > 0) console.log(`${title}\n  ${entries.map(line).join('\n  ')}`)
  }
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      handicap: { type: 'string', default: '0' },
      runs: { type: 'string', default: '9' },
      harness: { type: 'string', default: '' },
      data: { type: 'string', default: '' },
      browser: { type: 'boolean', default: false },
      union: { type: 'boolean', default: false },
      oracle: { type: 'boolean', default: false },
      sizes: { type: 'string', default: '' },
      every: { type: 'string', default: '1' },
    },
  })
  const [name, ...more] = positionals
  const handicapMs = Number(values.handicap)
  const runs = Number(values.runs)
  const known = name !== undefined && (name in benches || name === 'retrieval') && more.length === 0
  const sizes = values.sizes.split(',').filter(Boolean).map(Number)
  const every = Number(values.every)
  const counts = [runs, every, ...sizes].every((count) => Number.isInteger(count) && count > 0)
  if (!known || !(handicapMs >= 0) || !counts) throw new Error(usage)
  const { json, harness, data: folder, browser, union, oracle } = values
  return { name, json, handicapMs, runs, every, harness, folder, browser, union, oracle, sizes }
}
