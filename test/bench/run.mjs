import { inBrowser } from './browser.mjs'
import { measureBundle } from './bundle.mjs'

/**
 * `npm run -s bench -- NAME [--json] [--handicap MS]`: one benchmark, as one JSON object
 * `{ name, figures }` or as lines. `--handicap` delays the measured path, to show that the figures see it.
 */

/** @type {Record<string, (handicapMs: number) => Promise<Record<string, number>>>} */
const benches = {
  workers: (handicapMs) => inBrowser(handicapMs, (page) => page.evaluate(() => bench.measureWorkers())),
  kill: (handicapMs) =>
    inBrowser(handicapMs, async (page, browser) => {
      const figures = await page.evaluate(() => bench.measureKill())
      const expected = await page.evaluate(() => bench.killMany())
      const session = await browser.newBrowserCDPSession()
      const { targetInfos } = await session.send('Target.getTargets', { filter: [{}] })
      const alive = targetInfos.filter(({ type }) => type === 'worker').length
      return { ...figures, leakedWorkers: alive - expected }
    }),
  bundle: async () => (await measureBundle()).figures,
}

const [name, ...options] = process.argv.slice(2)
const run = name === undefined ? undefined : benches[name]
if (name === undefined || run === undefined) {
  console.error(
    `Usage: npm run -s bench -- NAME [--json] [--handicap MS], with NAME one of ${Object.keys(benches).join(', ')}.`,
  )
  process.exit(2)
}
const handicapAt = options.indexOf('--handicap')
const handicapMs = handicapAt < 0 ? 0 : Number(options[handicapAt + 1])
if (!(handicapMs >= 0)) {
  console.error('--handicap takes milliseconds, for example --handicap 2.')
  process.exit(2)
}
const figures = await run(handicapMs)
if (options.includes('--json')) console.log(JSON.stringify({ name, figures }))
else
  for (const [key, figure] of Object.entries(figures))
    console.log(`${key.padEnd(18)} ${Number(figure.toFixed(3))}`)
