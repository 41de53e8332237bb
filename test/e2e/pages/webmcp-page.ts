import { Agent, confirmDialog, tool } from 'offstage'
import { exposeWebMCP, fromWebMCP } from 'offstage/interop'
import { ScriptedModel } from 'offstage/testing'

/** Lets an agent of this page call the tool `buy` of a frame; gives what it was offered, and how the call ended. */
async function callFrame(origin: string): Promise<object> {
  const source = fromWebMCP({ origins: [origin] })
  const offered = await source.list()
  const name = offered.find((tool) => tool.origin === `webmcp:${origin}`)?.definition.name ?? 'none'
  const agent = new Agent({
    model: new ScriptedModel([ScriptedModel.toolCall(name, { what: 'leek' }), 'end']),
    tools: [source],
    confirm: confirmDialog(),
  })
  const { steps } = await agent.run('go')
  const [result] = steps.flatMap(({ results }) => results)
  await source.close()
  return { name, outcome: result?.outcome, text: result?.response.text }
}

/** Offers a tool that asks to the documents of an origin. */
async function exposeTo(origin: string): Promise<boolean> {
  const pay = tool({ name: 'pay', description: 'Pays.', needsApproval: true, execute: () => 'paid' })
  return (await exposeWebMCP([pay], { exposedTo: [origin] })).supported
}

Object.assign(globalThis, { callFrame, exposeTo })
