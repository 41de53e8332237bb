import { Agent, ToolRegistry } from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'
import * as v from 'valibot'

/** The tools of the components that are on the page. */
export const jotterTools = new ToolRegistry()

/** The input of the tool of the jotter. */
export const jotInput = v.object({ text: v.string() })

const jotTwice = ['one', 'two'].map((text) => ScriptedModel.toolCall('jot', { text }))
const turns = Array.from({ length: 20 }, (): ScriptedTurn[] => [jotTwice, 'Jotted.']).flat()

/** An agent that jots two things down whenever it is asked. */
export function makeJotterAgent(): Agent {
  return new Agent({ model: new ScriptedModel(turns), toolRegistry: jotterTools, name: 'jotter' })
}
