import { Agent, confirmDialog, type ModelAdapter, type ModelRequest, type ToolSource } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { registry } from './registry'
import './publish-note'

/** What the user asks. */
export const question = 'How long is my note? Then publish it.'

/** An agent with the tools of the worker and of the page. A new one for each question: its model follows a script. */
export function makeNotesAgent(workerTools: ToolSource): Agent {
  return new Agent({
    model: notesModel(),
    tools: [workerTools, registry.toolset()],
    confirm: confirmDialog(),
  })
}

// Plays the model, so that the app needs no key; what it says comes from the results.
function notesModel(): ModelAdapter {
  return new ScriptedModel([
    ScriptedModel.toolCall('count_words', { text: 'bread, milk and a lemon for the cake' }),
    ScriptedModel.toolCall('publish_note', { title: 'Groceries' }),
    (request) => `Your note has ${resultTexts(request).join('. ')}`,
  ])
}

function resultTexts({ messages }: ModelRequest): string[] {
  return messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .map(({ text }) => text)
}
