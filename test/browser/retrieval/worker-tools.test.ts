import { Agent } from 'offstage'
import { ToolRetriever, ToolSearchTool } from 'offstage/retrieval'
import { ScriptedModel } from 'offstage/testing'
import { expect, it } from 'vitest'
import { openKit } from '../worker/kit.ts'

it('tools of a worker are picked for what the person says, found by the model, and run in their worker', async () => {
  const kit = openKit({ size: 1 })
  const toolRetriever = new ToolRetriever(kit, { topK: 1 })
  const model = new ScriptedModel([
    ScriptedModel.toolCall('tool_search', { query: 'wait until the test says to go on' }),
    ScriptedModel.toolCall('add', { a: 2, b: 3 }),
    'done',
  ])
  const agent = new Agent({ model, tools: [kit, new ToolSearchTool(toolRetriever)], toolRetriever })
  const { steps } = await agent.run('add two numbers')
  const offered = model.requests.map(({ tools }) => tools.map(({ name }) => name))
  expect(offered[0]).toEqual(['tool_search', 'add'])
  expect(offered[1]?.slice(0, 3)).toEqual(['tool_search', 'add', 'wait_for_word'])
  expect(steps[1]?.results[0]).toMatchObject({
    outcome: 'success',
    response: { text: '5' },
    lane: expect.any(String),
  })
  await toolRetriever.close()
})
