import { expect } from '@playwright/test'
import { expectOneToolset, expectReady } from './notes-story.mjs'

/**
 * The first visit to a development server that has not seen yet what the app imports: the worker comes from
 * the app's own folder, not from where the server keeps prepared packages.
 * @type {import('./app-page.mjs').PageTest}
 */
export async function openForTheFirstTime({ page, address, open }) {
  /** @type {Set<string>} */
  const workers = new Set()
  page.on('worker', (worker) => workers.add(worker.url()))
  await open()
  await expectReady(page)
  await expectOneToolset(page)
  const own = new RegExp(`^${address}src/(?:lib/)?tools\\.worker\\.ts`)
  expect([...workers]).toEqual([expect.stringMatching(own)])
}
