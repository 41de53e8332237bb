import { expect } from '@playwright/test'
import { expectOneToolset, expectReady, tellStory } from './notes-story.mjs'

/**
 * StrictMode mounts, unmounts and mounts again: the workers of the first mount are ended, those of one
 * toolset stay, and calls work.
 * @type {import('./app-page.mjs').PageTest}
 */
export async function surviveStrictMode(visit) {
  const { page } = visit
  await page.addInitScript(countWorkers)
  await visit.open()
  await expectReady(page)
  // One lane for the first mount; a lane and the spare for the second.
  await expect.poll(() => page.evaluate(() => globalThis.workerCounts)).toEqual({ made: 3, ended: 1 })
  await expectOneToolset(page)
  await tellStory(visit)
}

// Runs in the page, before the app. Playwright does not see a worker that is ended at once.
function countWorkers() {
  const counts = { made: 0, ended: 0 }
  globalThis.workerCounts = counts
  globalThis.Worker = class extends Worker {
    /** @param {ConstructorParameters<typeof Worker>} options */
    constructor(...options) {
      super(...options)
      counts.made += 1
    }
    /** @override */
    terminate() {
      counts.ended += 1
      super.terminate()
    }
  }
}
