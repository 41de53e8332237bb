import { Agent, type Message, RunError, type Tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it } from 'vitest'
import { simple, untilStopped, wait } from '../execution/step-kit.ts'
import { calls, expectValidHistory, play } from './agent-kit.ts'

const a = simple('a', () => 'of a') as unknown as Tool
const slow = simple('slow', () => wait(30).then(() => 'of slow')) as unknown as Tool

const asked = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  text: '',
  calls: ids.map((id) => ({ id, name: 'a', input: {} })),
})
const answered = (...ids: readonly string[]): Message => ({
  role: 'tool',
  results: ids.map((id) => ({ callId: id, name: 'a', text: `of ${id}`, outcome: 'success' })),
})
const user = (text: string): Message => ({ role: 'user', text })

/** What the model reads of a conversation that is given to a run. */
async function readOf(messages: readonly Message[]): Promise<readonly Message[]> {
  const { model } = await play(['fine'], { tools: [a] }, { messages })
  const read = model.requests[0]?.messages.slice(0, -1) ?? []
  expectValidHistory(read)
  return read
}

describe('the conversation', () => {
  it('S11 holds a message with calls, then its results in call order, then what comes next', async () => {
    const { result } = await play([calls('slow', 'a'), 'done'], { tools: [slow, a] })
    const more = await play(['fine'], { tools: [a] }, { messages: result.messages })
    const [, assistant, results, answer, next] = more.model.requests[0]?.messages ?? []
    expect(assistant).toMatchObject({ calls: [{ name: 'slow' }, { name: 'a' }] })
    expect(results).toMatchObject({ role: 'tool', results: [{ text: 'of slow' }, { text: 'of a' }] })
    expect([answer?.role, next?.role]).toEqual(['assistant', 'user'])
    expectValidHistory(more.result.messages)
  })

  it.each(['{"a": ', '[1]', '"text"', '{a:1}', 'NaN', 7, [1]])(
    'S12 P33 holds a JSON object as the input of each call, also where the model sent %j',
    async (input) => {
      const { result, model } = await play([[{ name: 'a', input }], 'sorry'], { tools: [a] })
      expect(result.steps[0]?.results[0]?.outcome).toBe('invalid')
      expect(model.requests[1]?.messages[1]).toMatchObject({ calls: [{ input: {} }] })
      expectValidHistory(model.requests[1]?.messages ?? [])
    },
  )

  it('P30 holds ids of the library, different in each step, and those of the provider beside them', async () => {
    const same = { name: 'a', input: {}, id: 'call_0' }
    const { result } = await play([[same, same], same, 'done'], { tools: [a] })
    const all = result.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.calls ?? []) : [],
    )
    expect(all.map(({ providerId }) => providerId)).toEqual(['call_0', 'call_0', 'call_0'])
    expect(new Set(all.map(({ id }) => id)).size).toBe(3)
    expectValidHistory(result.messages)
  })

  it('is plain JSON', async () => {
    const { result } = await play([calls('a', 'nobody'), 'done'], { tools: [a] })
    expect(JSON.parse(JSON.stringify(result.messages))).toEqual(result.messages)
  })

  it('P32 D01 is valid after an abort, and can be continued', async () => {
    const abort = new AbortController()
    const execute = (input: unknown, context: { readonly signal: AbortSignal }) => {
      setTimeout(() => abort.abort())
      return untilStopped(input, context)
    }
    const stuck = simple('stuck', execute, { parallelSafe: false }) as unknown as Tool
    const model = new ScriptedModel([calls('a', 'stuck', 'a')])
    const failed: unknown = await new Agent({ model, tools: [a, stuck] })
      .run('go', { signal: abort.signal })
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(RunError)
    const { messages } = (failed as RunError).result
    expectValidHistory(messages)
    expect(messages.at(-1)).toMatchObject({
      results: [
        { text: 'of a', outcome: 'success' },
        { text: expect.stringContaining('may have run'), outcome: 'cancelled' },
        { text: expect.stringContaining('before it ran'), outcome: 'cancelled' },
      ],
    })
    const { model: second } = await play(['fine'], { tools: [a] }, { messages })
    expect(second.requests[0]?.messages.slice(0, messages.length)).toEqual(messages)
  })
})

describe('a conversation that is given to a run', () => {
  it('D01 gets a result for each call that has none, before what the user says next', async () => {
    const read = await readOf([user('go'), asked('1', '2'), answered('1'), user('go on')])
    expect(read.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(read[2]).toMatchObject({
      results: [
        { callId: '1', outcome: 'success' },
        { callId: '2', outcome: 'cancelled', text: expect.stringContaining('may have run') },
      ],
    })
  })

  it('D01 gets them also where no result is there at all, or the conversation ends', async () => {
    expect((await readOf([user('go'), asked('1')]))[2]).toMatchObject({ results: [{ callId: '1' }] })
    const read = await readOf([user('go'), asked('1'), asked('2'), answered('2')])
    expect(read.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool'])
  })

  it('D03 loses results that no call asked for', async () => {
    const read = await readOf([user('go'), asked('2'), answered('1', '2'), answered('3')])
    expect(read).toHaveLength(3)
    expect(read[2]).toMatchObject({ results: [{ callId: '2', text: 'of 2' }] })
    expect(read[2]).toHaveProperty('results.length', 1)
  })

  it('D03 keeps the first of several results of one call', async () => {
    const again: Message = {
      role: 'tool',
      results: [{ callId: '1', name: 'a', text: 'again', outcome: 'error' }],
    }
    const read = await readOf([user('go'), asked('1'), answered('1'), again])
    expect(read.slice(2)).toMatchObject([{ results: [{ text: 'of 1' }] }])
  })

  it('has results put right behind their calls and in call order, and keeps the words between', async () => {
    const read = await readOf([user('go'), asked('1', '2'), answered('2'), user('hurry'), answered('1')])
    expect(read.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(read[2]).toMatchObject({ results: [{ callId: '1' }, { callId: '2' }] })
    expect(read[3]).toEqual(user('hurry'))
  })

  it('does not take a result for a call of an earlier message with the same id', async () => {
    const read = await readOf([user('go'), asked('1'), asked('1'), answered('1')])
    expect(read[2]).toMatchObject({ results: [{ outcome: 'cancelled' }] })
    expect(read[4]).toMatchObject({ results: [{ outcome: 'success' }] })
  })

  it('is not changed itself', async () => {
    const messages = Object.freeze([user('go'), asked('1'), user('more')])
    const before = structuredClone(messages)
    await readOf(messages)
    expect(messages).toEqual(before)
  })
})
