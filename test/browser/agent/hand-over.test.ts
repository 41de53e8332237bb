import { Agent, type AgentOptions, indexedDBRunStore, type RunStore, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { expect, onTestFinished, test } from 'vitest'

// A run is run by one tab at a time. Whoever has just heard that it paused must find it free.

let ran = 0
const act = tool({
  name: 'act',
  description: 'Act.',
  needsApproval: true,
  execute: () => {
    ran += 1
  },
})

function newStore(): RunStore {
  const name = `test-${crypto.randomUUID()}`
  onTestFinished(() => {
    indexedDB.deleteDatabase(name)
  })
  return indexedDBRunStore(name)
}

/** An agent that asks for one call in each of so many steps. */
function asking(store: RunStore, steps: number): Agent {
  const calls = Array.from({ length: steps }, () => ScriptedModel.toolCall('act'))
  const options: AgentOptions = {
    model: new ScriptedModel([...calls, 'done']),
    tools: [act],
    confirm: 'pause',
    limits: { maxSteps: steps + 1 },
  }
  return new Agent({ ...options, store })
}

const yesToAll = (pending: readonly { readonly callId: string }[]) =>
  Object.fromEntries(pending.map(({ callId }) => [callId, true]))

test('P2 a run that has just paused can be resumed and is listed, thirty times in a row', async () => {
  ran = 0
  const store = newStore()
  const agent = asking(store, 30)
  let result = await agent.run('go')
  for (let round = 0; result.state !== undefined; round += 1) {
    expect(await agent.pendingRuns()).toMatchObject([{ runId: result.runId, status: 'paused' }])
    result = await agent.resume(result.state, yesToAll(result.pending))
    expect(ran).toBe(round + 1)
  }
  expect([result.status, ran]).toEqual(['done', 30])
})

test('P2 a run can be resumed from within the event that says that it paused', async () => {
  ran = 0
  const agent = asking(newStore(), 1)
  const statuses: string[] = []
  for await (const event of agent.stream('go')) {
    if (event.type !== 'paused' || event.result.state === undefined) continue
    const { state, pending } = event.result
    statuses.push((await agent.resume(state, yesToAll(pending))).status)
  }
  expect([statuses, ran]).toEqual([['done'], 1])
})
