import { server } from 'vitest/browser'

/** The engine that runs the tests of this page, for the few places where engines really differ. */
export const engine: 'chromium' | 'firefox' | 'webkit' = nameOf(server.browser)

function nameOf(browser: string): typeof engine {
  if (browser === 'chromium' || browser === 'firefox') return browser
  // Vitest has one name for the engine and another for the browser that it is known from.
  if (browser === 'webkit' || browser === 'safari') return 'webkit'
  throw new Error(`The tests know no engine named ${browser}. Name it in test/browser/engine.ts.`)
}
