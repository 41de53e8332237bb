import { CHROMIUM } from './engines.mjs'
import { provideEngines } from './provide-engines.mjs'

/**
 * The path of a Chromium that starts, newly installed where there was none. Rejects with advice when none can be
 * had.
 * @returns {Promise<string>}
 */
export async function provideChromium() {
  const [chromium] = await provideEngines([CHROMIUM])
  if (chromium?.path !== undefined) return chromium.path
  throw new Error(chromium?.problem)
}
