import { Agent, AgentSession, ApprovalQueue, ToolRegistry } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { expect, test, vi } from 'vitest'
import { expectValidHistory } from './agent-kit.ts'
import { callsOf, Ran } from './run-kit.ts'
import { lines, until } from './session-kit.ts'

function kit() {
  const ran = new Ran()
  const approvals = new ApprovalQueue()
  const tools = [ran.tool('a', { needsApproval: true, parallelSafe: true })]
  const agent = (...turns: ConstructorParameters<typeof ScriptedModel>[0]) =>
    new Agent({ model: new ScriptedModel(turns), tools, confirm: approvals.confirm })
  return { ran, approvals, tools, agent }
}

test('L05 a question stays in the queue while nobody shows it, and whoever comes later shows and answers it', async () => {
  const { ran, approvals, agent } = kit()
  const session = new AgentSession({ agent: agent(callsOf('a'), 'done'), approvals })
  const sent = session.send('go')
  const first: unknown[] = []
  const leave = session.subscribe(({ pending }) => first.push(...pending))
  const asked = await until(session, ({ pending }) => pending.length > 0)
  leave()
  expect(asked).toMatchObject({ status: 'running', activity: [{ phase: 'waiting-for-approval' }] })
  expect(asked.pending).toMatchObject([{ toolName: 'a', kind: 'approval', input: { n: 1 }, mayRemember: [] }])
  const again = await until(session, ({ pending }) => pending.length > 0)
  expect(again.pending[0]).toBe(asked.pending[0])
  expect(await again.pending[0]?.check({ n: 101 })).toMatchObject([{ path: 'n' }])
  again.pending[0]?.answer({ approved: true, input: { n: 7 } })
  // The host that is gone may answer late: it does nothing.
  asked.pending[0]?.answer(false)
  expect(await sent).toMatchObject({ status: 'idle', pending: [] })
  expect(ran.log).toEqual(['a 7'])
  expect(approvals.getSnapshot()).toEqual([])
})

test('F15 an abort withdraws the question, and an answer after that runs nothing', async () => {
  const { ran, approvals, agent } = kit()
  const session = new AgentSession({ agent: agent(callsOf('a'), 'done'), approvals })
  const sent = session.send('go')
  const { pending } = await until(session, (snapshot) => snapshot.pending.length > 0)
  const stopped = await session.stop()
  expect(stopped).toMatchObject({ status: 'idle', pending: [] })
  expectValidHistory(stopped.messages)
  pending[0]?.answer(true)
  await sent
  expect(ran.log).toEqual([])
})

test('sessions see their own questions only, and calls outside of them are in the queue', async () => {
  const { ran, approvals, tools, agent } = kit()
  const sessions = [1, 2].map(() => new AgentSession({ agent: agent(callsOf('a'), 'done'), approvals }))
  const ended = sessions.map((session) => session.send('go'))
  const registry = new ToolRegistry()
  registry.registerAll(tools)
  const direct = registry.executeTool('a', { n: 9 }, { confirm: approvals.confirm })
  await vi.waitFor(() => expect(approvals.getSnapshot()).toHaveLength(3))
  for (const session of sessions) {
    const { pending } = await until(session, (snapshot) => snapshot.pending.length > 0)
    expect(pending).toHaveLength(1)
    await session.answer(pending[0]?.callId ?? '', true)
  }
  await Promise.all(ended)
  approvals.getSnapshot()[0]?.answer(false)
  expect(await direct).toMatchObject({ outcome: 'denied' })
  expect(ran.log).toEqual(['a 1', 'a 1'])
})

test('fields that a person fills in go with the yes; anything else is no yes', async () => {
  const { ran, approvals } = kit()
  const ask = ran.tool('ask', { userFields: ['n'] })
  const model = new ScriptedModel([ScriptedModel.toolCall('ask'), ScriptedModel.toolCall('ask'), 'done'])
  const session = new AgentSession({
    agent: new Agent({ model, tools: [ask], confirm: approvals.confirm }),
    approvals,
  })
  const sent = session.send('go')
  const first = await until(session, ({ pending }) => pending.length > 0)
  expect(first.pending).toMatchObject([{ kind: 'fields', userFields: { required: ['n'] } }])
  first.pending[0]?.answer({ fields: { n: 3 } })
  const second = await until(session, ({ pending }) => pending.length > 0 && pending[0] !== first.pending[0])
  second.pending[0]?.answer({ output: 'mine' })
  expect(lines(await sent)[4]).toMatch(/not executed|was not/)
  expect(ran.log).toEqual(['ask 3'])
})

test('a store as Svelte has them: the value at once, and after each change', async () => {
  const { approvals, agent } = kit()
  const told: number[] = []
  const leave = approvals.subscribe((questions) => told.push(questions.length))
  const run = agent(callsOf('a'), 'done').run('go')
  await vi.waitFor(() => expect(told).toEqual([0, 1]))
  expect(approvals.getSnapshot()).toBe(approvals.getSnapshot())
  approvals.getSnapshot()[0]?.answer(true)
  await run
  leave()
  expect(told).toEqual([0, 1, 0])
})
