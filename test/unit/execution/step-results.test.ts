import { ToolExecutor, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { bare, call, Log, outcomesOf, simple, textsOf } from './step-kit.ts'

const parallel = { parallelSafe: true } as const

describe('the results of a step', () => {
  it('P24 are in call order, whichever call ended first', async () => {
    const log = new Log()
    const executor = new ToolExecutor({ tools: [log.tool('a', parallel), log.tool('b', parallel)] })
    const results = await executor.executeStep([call('a', 'first', 50), call('b', 'second', 5)])
    expect(log.lines.slice(-2)).toEqual(['-second', '-first'])
    expect(textsOf(results)).toEqual(['first', 'second'])
  })

  it('P27 are one for each of 200 calls, of which 32 run', async () => {
    const execute = vi.fn(() => 'ok')
    const executor = new ToolExecutor({ tools: [simple('again', execute)] })
    const results = await executor.executeStep(Array.from({ length: 200 }, () => bare('again')))
    expect(results).toHaveLength(200)
    expect(new Set(results.map(({ call: { id } }) => id)).size).toBe(200)
    expect(execute).toHaveBeenCalledTimes(32)
    expect(new Set(outcomesOf(results.slice(32)))).toEqual(new Set(['limit']))
    expect(results[32]?.response.text).toContain('at most 32 calls run in one step')
  })

  it.each([
    [0, '0'],
    [false, 'false'],
    ['', ''],
    [[], '[]'],
    [null, '(no output)'],
    [undefined, '(no output)'],
  ])('P31 S23 are results also when the tool gives back %j', async (value, text) => {
    const [result] = await new ToolExecutor({ tools: [simple('gives', () => value)] }).executeStep([
      bare('gives'),
    ])
    expect(result).toMatchObject({ outcome: 'success', response: { text, status: 'success' } })
  })

  it('S23 are of the input as it was sent: a text is no boolean, and no null', async () => {
    const shell = tool({
      name: 'shell',
      description: 'Echoes.',
      inputSchema: v.object({ command: v.string() }),
      execute: ({ command }) => `${typeof command} ${command}`,
    })
    const executor = new ToolExecutor({ tools: [shell] })
    const commands = ['true', 'null', 'none', '0']
    const results = await executor.executeStep(
      commands.map((command) => ({ name: 'shell', input: { command } })),
    )
    expect(textsOf(results)).toEqual(commands.map((command) => `string ${command}`))
  })

  it('name the origin of the tool also when the call was refused before its tool was looked for', async () => {
    const executor = new ToolExecutor({ tools: [simple('a', () => 'ok')], maxCallsPerStep: 1 })
    const requests = [{ name: 'a', input: '[' }, bare('a'), bare('nobody')]
    const results = await executor.executeStep(requests, { cutOff: undefined })
    expect(outcomesOf(results)).toEqual(['invalid', 'limit', 'limit'])
    expect(results.map(({ origin }) => origin)).toEqual(['app', 'app', undefined])
  })

  it('P28 are all `cut-off` when the message was, with what was sent as a JSON object', async () => {
    const execute = vi.fn()
    const executor = new ToolExecutor({ tools: [simple('a', execute)] })
    const results = await executor.executeStep([bare('a'), { name: 'a', input: '{"x": "unfin' }], {
      cutOff: 'length',
    })
    expect(outcomesOf(results)).toEqual(['cut-off', 'cut-off'])
    expect(results.map(({ call: { input } }) => input)).toEqual([{}, {}])
    expect(execute).not.toHaveBeenCalled()
  })
})

describe('the ids of calls', () => {
  it('S1 are the library’s own: equal ids of the provider run each call once and answer each', async () => {
    const [del, pay] = [vi.fn(() => 'deleted'), vi.fn(() => 'paid')]
    const executor = new ToolExecutor({
      tools: [simple('del', del, { needsApproval: true }), simple('pay', pay, { needsApproval: true })],
      confirm: ({ toolName }) => toolName === 'del',
    })
    const results = await executor.executeStep([
      { ...bare('del'), providerId: 'dup' },
      { ...bare('pay'), providerId: 'dup' },
    ])
    expect(outcomesOf(results)).toEqual(['success', 'denied'])
    expect([del.mock.calls.length, pay.mock.calls.length]).toEqual([1, 0])
    expect(results[0]?.call.id).not.toBe(results[1]?.call.id)
    expect(results.map(({ call: { providerId } }) => providerId)).toEqual(['dup', 'dup'])
  })

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'P8 belong to no tool when the model calls %s',
    async (name) => {
      const executor = new ToolExecutor({
        tools: [simple('a', () => 'ok')],
        permissions: { allow: ['a'] },
      })
      const [result] = await executor.executeStep([bare(name)])
      expect(result).toMatchObject({ outcome: 'unknown', call: { name } })
    },
  )

  it('P8 belong to a tool that is called constructor', async () => {
    const executor = new ToolExecutor({ tools: [simple('constructor', () => 'made')] })
    expect(textsOf(await executor.executeStep([bare('constructor'), bare('toString')]))[0]).toBe('made')
  })
})
