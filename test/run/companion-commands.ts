import type { BrowserCommand } from 'vitest/node'
import { type Companion, startCompanion } from '../../src/companion/start-companion.ts'
import { root } from './project.ts'

const running = new Map<string, Companion>()

const startCompanionFor: BrowserCommand<[origin: string]> = async (_context, origin) => {
  const companion = await startCompanion({ allow: ['echo'], roots: [root], origins: [origin] })
  running.set(companion.url, companion)
  return companion.pairingLink()
}

const endCompanion: BrowserCommand<[link: string]> = async (_context, link) => {
  const { origin } = new URL(link)
  await running.get(origin)?.close()
  running.delete(origin)
}

/** Starts and ends a companion beside the browser, for a page of a test. */
export const companionCommands: Readonly<{
  /** For pages of one origin; gives its pairing link. */
  startCompanionFor: typeof startCompanionFor
  endCompanion: typeof endCompanion
}> = { startCompanionFor, endCompanion }
