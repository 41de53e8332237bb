import { tool } from 'offstage'
import * as v from 'valibot'
import { registry } from './registry'

/** Runs on the page, and only after a person's yes. */
const publishNote = tool({
  name: 'publish_note',
  description: 'Publish a note for everybody.',
  inputSchema: v.object({ title: v.string() }),
  needsApproval: true,
  effect: 'external',
  execute: ({ title }) => `"${title}" is published.`,
})

// The owner lets hot reload put a newer version of this file in its place.
registry.register(publishNote, { owner: import.meta.url })
