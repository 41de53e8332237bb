import '../../support/valid-histories.ts'
import { Agent, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it } from 'vitest'

const { toolCall } = ScriptedModel
const now = tool({ name: 'now', description: 'The time.', execute: () => 'noon' })

describe('ScriptedModel', () => {
  it('says when a run ended before its script did', async () => {
    const model = new ScriptedModel(['One.', 'Two.'])
    await new Agent({ model }).run('go')
    expect(() => model.assertComplete()).toThrow('1 of 2 turns were not asked for')
  })

  it('plays a turn that is made from the request', async () => {
    const model = new ScriptedModel([
      toolCall('now'),
      ({ messages }) => `I know: ${JSON.stringify(messages.at(-1))}`,
    ])
    const { finalOutput } = await new Agent({ model, tools: [now] }).run('go')
    expect(finalOutput).toContain('noon')
  })

  it('gives calls different ids unless the script says otherwise', async () => {
    const model = new ScriptedModel([[toolCall('now'), toolCall('now'), toolCall('now', {}, 'mine')], 'ok'])
    const { steps } = await new Agent({ model, tools: [now] }).run('go')
    const ids = steps[0]?.results.map((result) => result.call.providerId)
    expect(new Set(ids).size).toBe(3)
    expect(ids?.[2]).toBe('mine')
  })

  it('keeps text and calls of one turn together', async () => {
    const model = new ScriptedModel([{ text: 'Let me see. ', calls: [toolCall('now')] }, 'Noon.'])
    const { messages } = await new Agent({ model, tools: [now] }).run('go')
    expect(messages[1]).toMatchObject({ role: 'assistant', text: 'Let me see. ', calls: [{ name: 'now' }] })
  })
})
