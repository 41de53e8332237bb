import { Agent, AgentSession, memoryRunStore, type RunStore } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { expect, test } from 'vitest'
import { expectValidHistory } from './agent-kit.ts'
import { callsOf, dieAt, Ran, signal, type WatchedStore } from './run-kit.ts'
import { lines } from './session-kit.ts'

function kit(store: RunStore = memoryRunStore()) {
  const ran = new Ran()
  const asks = { needsApproval: true, parallelSafe: true }
  const tools = [ran.tool('a', asks), ran.tool('b', asks), ran.tool('free', { parallelSafe: true })]
  /** A session in a page that has just been loaded. */
  const page = (...turns: ConstructorParameters<typeof ScriptedModel>[0]) =>
    new AgentSession({
      agent: new Agent({ model: new ScriptedModel(turns), tools, confirm: 'pause', store }),
    })
  return { ran, store, tools, page }
}

test('a reload finds the conversation and goes on with it', async () => {
  const { store, page } = kit()
  await page(callsOf('free'), 'first').send('one')
  const second = page('second')
  expect(lines(await second.restore(store))).toEqual([
    ...['user: one', 'assistant: ', 'tool: free ran with 1', 'assistant: first'],
  ])
  expect(lines(await second.send('two')).slice(4)).toEqual(['user: two', 'assistant: second'])
  expect(lines(await page().restore(store))).toHaveLength(6)
})

test('nothing stored is nothing shown', async () => {
  const { store, page } = kit()
  expect(await page().restore(store)).toEqual({ status: 'idle', messages: [], activity: [], pending: [] })
})

test('F03 F13 a reload finds a paused run with what was answered before, and each call runs once', async () => {
  const { ran, store, page } = kit()
  const paused = await page(callsOf('a', 'b', 'free')).send('go')
  const [a, b] = paused.pending
  const second = page()
  const found = await second.restore(store)
  expect(found).toMatchObject({ status: 'paused', activity: [], runId: paused.runId })
  expect(found.messages).toEqual(paused.messages)
  expect(found.pending.map(({ callId }) => callId)).toEqual([a?.callId, b?.callId])
  await second.answer(a?.callId ?? '', true)
  const third = page('done')
  const half = await third.restore(store)
  expect(half.pending.map(({ toolName }) => toolName)).toEqual(['b'])
  expect(lines(half)[2]).toBe('tool: a ran with 1 | free ran with 3')
  const ended = await third.answer(b?.callId ?? '', true)
  expect(lines(ended)[2]).toBe('tool: a ran with 1 | b ran with 2 | free ran with 3')
  expect(ran.log).toEqual(['free 3', 'a 1', 'b 2'])
  expect(await page().restore(store)).toMatchObject({ status: 'idle', pending: [] })
})

test('a run whose page was closed is paused with nothing to answer, and resume goes on', async () => {
  const { ran, tools } = kit()
  const asked = signal()
  const model = new ScriptedModel([
    callsOf('free'),
    () => {
      asked.reach()
      throw new Error('the page is gone')
    },
  ])
  const make = (store: WatchedStore) => new Agent({ model, tools, store })
  const left = await dieAt(make, asked.reached)
  const second = kit(left).page('done')
  expect(await second.restore(left)).toMatchObject({ status: 'paused', pending: [] })
  expect(lines(await second.resume())).toEqual([
    ...['user: go', 'assistant: ', 'tool: free ran with 1', 'assistant: done'],
  ])
  expect(ran.log).toEqual(['free 1'])
})

test('writing on after a reload ends the paused run: the next reload does not ask again', async () => {
  const { ran, store, page } = kit()
  await page(callsOf('a')).send('go')
  const second = page('well then')
  await second.restore(store)
  const ended = await second.send('never mind')
  expectValidHistory(ended.messages)
  expect(lines(ended).slice(-2)).toEqual(['user: never mind', 'assistant: well then'])
  const third = await page().restore(store)
  expect(third).toMatchObject({ status: 'idle', pending: [] })
  expect(third.messages).toEqual(ended.messages)
  expect((await store.list()).map(({ status }) => status).sort()).toEqual(['done', 'stopped'])
  expect(ran.log).toEqual([])
})

test('F05 a question that another tab has answered fails here and runs nothing twice', async () => {
  const { ran, store, page } = kit()
  const first = page(callsOf('a'), 'done')
  const [question] = (await first.send('go')).pending
  const second = page('done there')
  await second.restore(store)
  await second.answer(question?.callId ?? '', true)
  const stale = await first.answer(question?.callId ?? '', true)
  expect(stale).toMatchObject({ status: 'failed', error: { name: 'RunStateError' }, pending: [] })
  expect(ran.log).toEqual(['a 1'])
  expect(lines(await first.restore(store)).at(-1)).toBe('assistant: done there')
})

test('a run that goes on elsewhere is shown as it was saved, and said to be there', async () => {
  const { store, page } = kit()
  const asked = signal()
  const answer = signal()
  const model = new ScriptedModel(['late'])
  const slow = {
    name: 'slow',
    stream: async function* (request: Parameters<ScriptedModel['stream']>[0]) {
      asked.reach()
      await answer.reached
      yield* model.stream(request)
    },
  }
  const running = new AgentSession({ agent: new Agent({ model: slow, store }) })
  const sent = running.send('go')
  await asked.reached
  const found = await page().restore(store)
  expect(found).toMatchObject({ status: 'failed', error: { code: 'in-use' }, pending: [] })
  expect(lines(found)).toEqual(['user: go'])
  answer.reach()
  await sent
})

test('a conversation is found by its run, and what is stored but no run is an error in the snapshot', async () => {
  const { store, page } = kit()
  const one = await page('first').send('one')
  await page('second').send('two')
  expect(lines(await page().restore(store, one.runId))).toEqual(['user: one', 'assistant: first'])
  const broken: RunStore = {
    ...store,
    list: async () => {
      throw new Error('no storage here')
    },
  }
  expect(await page().restore(broken)).toMatchObject({
    status: 'failed',
    error: { message: 'no storage here' },
  })
})
