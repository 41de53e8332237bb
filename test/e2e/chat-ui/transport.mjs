import { Agent, tool } from 'offstage'
import { chatTransport } from 'offstage/interop'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'

const deleteFile = tool({
  name: 'delete_file',
  description: 'Deletes a file.',
  inputSchema: v.object({ path: v.string() }),
  effect: 'destructive',
  needsApproval: true,
  execute: ({ path }) => {
    globalThis.ran = [...(globalThis.ran ?? []), path]
    return `deleted ${path}`
  },
})

const { toolCall } = ScriptedModel
const model = new ScriptedModel([
  toolCall('delete_file', { path: 'a.txt' }),
  'It is gone.',
  toolCall('delete_file', { path: 'b.txt' }),
  'It stays.',
])

/** Our agent, as both libraries take it. */
export const transport = chatTransport(new Agent({ model, tools: [deleteFile], confirm: 'pause' }))
