import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { provideChromium } from './chromium.mjs'
import { installDependencies } from './dependencies.mjs'
import { RESULTS, runConformance, runConsumers, runVitest } from './parts.mjs'
import { root } from './processes.mjs'
import { closeRun, runParts } from './run-parts.mjs'

/**
 * `npm run test:long`: what is too slow for every run. Properties are tried 20 times as often, the pool is put
 * under storms of kills, the figures of the benches must keep their limits, MCP's own test suite and its real server
 * are played with, and the packed library is tried in every app.
 */

rmSync(join(root, RESULTS), { recursive: true, force: true })
await installDependencies()
const options = { environment: { CHROMIUM_PATH: await provideChromium(), TEST_LONG: '1' } }
const tests = await runParts([
  // First of all, while nothing else has warmed the machine.
  ['bench limits', () => runVitest('bench-limits', options)],
  ['properties', () => runVitest('unit', options)],
  ['storms', () => runVitest('browser-long', options)],
  ['server-everything', () => runVitest('conformance', options)],
  ['conformance in Node', () => runConformance('node', options)],
  ['conformance in Chromium', () => runConformance('chromium', options)],
  ['consumers', () => runConsumers([], options)],
])
closeRun('long.json', tests, [])
