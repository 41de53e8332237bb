import { CallDeferred, tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'

const empty = v.object({})

/** Hides itself from guests, and says in its description which step it is. */
const archive = tool({
  name: 'archive',
  description: 'Archive the page.',
  inputSchema: empty,
  parallelSafe: true,
  prepare: (definition, { deps, step, capabilities = [] }) => {
    const { guest } = (deps ?? {}) as { readonly guest?: boolean }
    if (guest) return null
    return { ...definition, description: `Step ${step}, ${capabilities.join() || 'no capabilities'}.` }
  },
  execute: () => 'archived',
})

const plain = tool({ name: 'plain', description: 'Plain.', inputSchema: empty, execute: () => 'plain' })

const ticket = tool({
  name: 'ticket',
  description: 'Open a ticket.',
  inputSchema: v.object({ title: v.string(), to: v.optional(v.string(), 'support') }),
  userFields: ['to'],
  execute: ({ title, to }, { attempt, maxRetries }) => {
    throw new CallDeferred({ title, to, attempt, maxRetries })
  },
})

export const tools = [archive, plain, ticket]

serveTools(tools)
