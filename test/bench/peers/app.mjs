// The smallest app with an agent, one tool and one approval, for its size; the model is a stand-in.
import { Agent, tool } from 'offstage'
import * as v from 'valibot'

export async function main(confirm) {
  const log = []
  const deleteNote = tool({
    name: 'delete_note',
    description: 'Delete a note',
    inputSchema: v.object({ id: v.string() }),
    needsApproval: true,
    execute: ({ id }) => {
      log.push(`deleted ${id}`)
      return { ok: true }
    },
  })
  let asked = 0
  const model = {
    name: 'stand-in',
    async *stream() {
      if (asked++ === 0) yield { type: 'call', id: 'c1', name: 'delete_note', input: { id: 'n1' } }
      else yield { type: 'text-delta', text: 'done' }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const agent = new Agent({ model, tools: [deleteNote], confirm: (request) => confirm(request) })
  const { finalOutput } = await agent.run('go')
  return [...log, finalOutput]
}
