import { openFolder, tool } from 'offstage'
import * as v from 'valibot'

export const add = tool({
  name: 'add',
  description: 'Add two numbers.',
  inputSchema: v.object({ a: v.number(), b: v.number() }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ a, b }) => a + b,
})

export const spin = tool({
  name: 'spin',
  description: 'Never ends.',
  parallelSafe: true,
  effect: 'none',
  timeoutMs: 300,
  execute: () => {
    while (true);
  },
})

export const pay = tool({
  name: 'pay',
  description: 'Asks first.',
  inputSchema: v.object({ amount: v.optional(v.number(), 5) }),
  needsApproval: true,
  execute: ({ amount }) => `paid ${amount}`,
})

const openNotes = async () => (await openFolder('notes')).name

export const notes = tool({ name: 'notes', description: 'Opens a folder on the page.', execute: openNotes })

export const workerNotes = tool({
  name: 'worker_notes',
  description: 'Opens a folder in the worker.',
  execute: openNotes,
})
