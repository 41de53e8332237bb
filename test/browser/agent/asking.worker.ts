import { ApprovalRequired, CallDeferred, tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'

const fields = tool({
  name: 'fields',
  description: 'Has fields that a person fills in.',
  inputSchema: v.object({ text: v.string(), to: v.string(), copies: v.optional(v.number(), 1) }),
  userFields: ['to', 'copies'],
  execute: (input) => input,
})

const inside = tool({
  name: 'inside',
  description: 'Asks from inside.',
  execute: (_input, { approval }) => {
    if (approval === undefined) throw new ApprovalRequired('really?')
    return approval
  },
})

const later = tool({
  name: 'later',
  description: 'Is answered elsewhere.',
  parallelSafe: true,
  execute: () => {
    throw new CallDeferred({ ticket: 7 })
  },
})

export const tools = [fields, inside, later]
serveTools(tools)
