import { Agent, AgentSession, memoryRunStore, openFolder, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { expect, it } from 'vitest'
import { engine } from '../engine.ts'

// WebKitGTK's driver opens private windows only, and private windows of WebKit have no storage.
const hasStorage = engine !== 'webkit'

const long = Array.from({ length: 4_000 }, (_, index) => `line ${index}`).join('\n')

/** What is kept on this origin, beside what other tests have left there. */
async function kept(before: readonly string[] = []): Promise<readonly string[]> {
  const names: string[] = []
  if (hasStorage)
    for await (const [name] of (await openFolder('offstage/results')).entries()) names.push(name)
  return names.filter((name) => !before.includes(name))
}

it('a long result outlives its page as long as its run waits, and is gone with the run', async () => {
  const before = await kept()
  const load = tool({ name: 'load', description: 'Loads.', parallelSafe: true, execute: () => long })
  const risky = tool({ name: 'risky', description: 'Risky.', needsApproval: true, execute: () => 'done' })
  const agentFor = (model: ScriptedModel) => new Agent({ model, tools: [load, risky], confirm: 'pause' })
  const first = agentFor(
    new ScriptedModel([[ScriptedModel.toolCall('load'), ScriptedModel.toolCall('risky')]]),
  )
  const paused = await first.run('go')
  await first.close()
  const [handle = ''] = /result-[0-9a-f]{24}/.exec(JSON.stringify(paused.messages)) ?? []
  expect(await kept(before)).toEqual(hasStorage ? [handle] : [])
  const model = new ScriptedModel([
    ScriptedModel.toolCall('read_result', { handle, offset: 20_000, length: 50 }),
    'done',
  ])
  const result = await agentFor(model).resume(JSON.parse(JSON.stringify(paused.state)), {
    [`${paused.pending[0]?.callId}`]: true,
  })
  expect(result.steps.at(-2)?.results[0]?.response.text).toContain(long.slice(20_000, 20_050))
  expect(await kept(before)).toEqual([])
})

it('of a session it outlives its page until the conversation is closed', async () => {
  const before = await kept()
  const load = tool({ name: 'load', description: 'Loads.', parallelSafe: true, execute: () => long })
  const store = memoryRunStore()
  const agentFor = (model: ScriptedModel) => new Agent({ model, tools: [load], store })
  const first = agentFor(new ScriptedModel([ScriptedModel.toolCall('load'), 'ok']))
  const { messages } = await new AgentSession({ agent: first }).send('go')
  await first.close()
  const [handle = ''] = /result-[0-9a-f]{24}/.exec(JSON.stringify(messages)) ?? []
  expect(await kept(before)).toEqual(hasStorage ? [handle] : [])
  const model = new ScriptedModel([
    ScriptedModel.toolCall('read_result', { handle, offset: 20_000, length: 50 }),
    'done',
  ])
  const later = new AgentSession({ agent: agentFor(model) })
  await later.restore(store)
  const { result } = await later.send('go on')
  expect(result?.steps.at(-2)?.results[0]?.response.text).toContain(long.slice(20_000, 20_050))
  expect(await kept(before)).toEqual(hasStorage ? [handle] : [])
  await later.close()
  expect(await kept(before)).toEqual([])
})
