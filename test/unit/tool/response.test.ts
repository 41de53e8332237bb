import {
  ApprovalRequired,
  ModelRetry,
  ToolExecutor,
  ToolFailed,
  ToolResponse,
  type ToolResult,
  tool,
} from 'offstage'
import { describe, expect, it } from 'vitest'

async function result(execute: () => unknown): Promise<ToolResult & { progress: unknown[] }> {
  const progress: unknown[] = []
  const executor = new ToolExecutor({
    tools: [tool({ name: 't', description: 'T.', execute })],
    onEvent: (event) => {
      if (event.type === 'progress') progress.push(event.value)
    },
  })
  return { ...(await executor.execute({ name: 't', input: {} })), progress }
}

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

describe('what execute returns', () => {
  it.each<[string, unknown, string]>([
    ['text', 'hello', 'hello'],
    ['empty text', '', ''],
    ['undefined', undefined, '(no output)'],
    ['null', null, '(no output)'],
    ['zero', 0, '0'],
    ['false', false, 'false'],
    ['an empty list', [], '[]'],
    ['NaN', Number.NaN, 'NaN'],
    ['a bigint', 10n, '10'],
    ['an object', { a: [1, 'x'] }, '{"a":[1,"x"]}'],
    ['a bigint inside', { n: 10n }, '{"n":"10"}'],
    ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['bytes', new Uint8Array(3), '[Uint8Array, 3 bytes]'],
    ['bytes inside', { raw: new ArrayBuffer(2) }, '{"raw":"[ArrayBuffer, 2 bytes]"}'],
    ['a map', new Map([['a', 1]]), '[["a",1]]'],
    ['an error', { cause: new TypeError('bad') }, '{"cause":"TypeError: bad"}'],
    ['a promise inside', { later: Promise.resolve(1) }, '{"later":"[Promise]"}'],
    ['a cycle', cyclic, '[Object that JSON cannot show]'],
    ['a function', () => 1, '[Function]'],
  ])('%s becomes a success with its text', async (_what, value, text) => {
    const { outcome, response } = await result(() => value)
    expect([outcome, response.text]).toEqual(['success', text])
  })

  it('keeps the value as data, except for text and nothing', async () => {
    expect((await result(() => 0)).response.data).toBe(0)
    expect((await result(async () => [1])).response.data).toEqual([1])
    expect('data' in (await result(() => 'x')).response).toBe(false)
    expect('data' in (await result(() => undefined)).response).toBe(false)
  })

  it('may be a ToolResponse, whose status counts', async () => {
    expect(await result(() => ToolResponse.ok('a', { data: 1 }))).toMatchObject({
      outcome: 'success',
      response: { text: 'a', data: 1 },
    })
    expect((await result(() => ToolResponse.partial('half'))).outcome).toBe('partial')
    expect((await result(() => ToolResponse.error('no'))).outcome).toBe('error')
    expect((await result(() => ToolResponse.error(new Error('no') as never))).response).toMatchObject({
      status: 'error',
      text: 'Error: no',
    })
  })

  it('is data when it only looks like a response', async () => {
    const { response } = await result(() => ({ text: 'x', status: 'error', rows: 1 }))
    expect(response).toMatchObject({ status: 'success', text: '{"text":"x","status":"error","rows":1}' })
  })

  it('says what is wrong with data given as the second argument', async () => {
    const { outcome, response } = await result(() => ToolResponse.ok('3 rows', [1, 2] as never))
    expect([outcome, response.text]).toEqual([
      'error',
      expect.stringContaining('expected an options object, got Array'),
    ])
  })

  it('may be a generator: each yield is progress, and the last value is the result', async () => {
    const yielding = await result(async function* () {
      yield 1
      yield 2
    })
    expect([yielding.progress, yielding.response.text]).toEqual([[1, 2], '2'])
    const returning = await result(function* () {
      yield 'half'
      return 'whole'
    })
    expect([returning.progress, returning.response.text]).toEqual([['half'], 'whole'])
  })
})

describe('what execute throws', () => {
  it.each<[string, unknown, string, string]>([
    ['an error', new RangeError('too far'), 'error', 'RangeError: too far'],
    ['undefined', undefined, 'error', 'Error: undefined was thrown'],
    ['text', 'boom', 'error', 'Error: boom'],
    ['an object', { code: 1 }, 'error', 'Error: an object was thrown that is not an Error'],
    ['a function', () => 'secret source', 'error', 'Error: a function was thrown that is not an Error'],
    ['an error without a form', { message: Object.create(null) }, 'error', 'Error: an object was thrown'],
    ['ModelRetry', new ModelRetry('use a date'), 'error', 'use a date\nFix this and call again.'],
    ['ToolFailed', new ToolFailed('no stock'), 'error', 'no stock'],
    ['ApprovalRequired', new ApprovalRequired('expensive'), 'denied', 'approval'],
  ])('%s becomes a readable ending', async (_what, thrown, outcome, text) => {
    const ended = await result(() => {
      throw thrown
    })
    expect(ended.outcome).toBe(outcome)
    expect(ended.response.text).toContain(text)
  })

  it('has its message cut, and no stack', async () => {
    const { response } = await result(() => {
      throw new Error('x'.repeat(5_000))
    })
    expect(response.text.length).toBeLessThan(1_100)
    expect(response.text).not.toContain('.test.ts')
  })
})

describe('a check that wants a person asked', () => {
  it('gives one reason or several, which stay apart', async () => {
    const reasonsFor = async (reason: string | readonly string[]) => {
      const asked: (readonly string[])[] = []
      const check = () => {
        throw new ApprovalRequired(reason)
      }
      const gate = new ToolExecutor({
        tools: [tool({ name: 'guarded', description: 'x', check, execute: () => 1 })],
        confirm: ({ reasons }) => {
          asked.push(reasons)
          return false
        },
      })
      await gate.execute({ name: 'guarded', input: {} })
      return asked
    }
    expect(await reasonsFor('one\ntwo')).toEqual([['one\ntwo']])
    expect(await reasonsFor(['one', 'two'])).toEqual([['one', 'two']])
    expect(new ApprovalRequired(['one', 'two']).message).toBe('one\ntwo')
  })
})
