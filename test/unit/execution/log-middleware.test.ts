import { ToolExecutor, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { logMiddleware } from '../../../src/execution/log-middleware.ts'

const fails = (error: unknown) => () => {
  throw error
}

describe('logMiddleware()', () => {
  const add = tool({
    name: 'add',
    description: 'Adds.',
    inputSchema: v.object({ a: v.number(), secret: v.optional(v.string()) }),
    execute: ({ a }) => {
      if (a < 0) throw new RangeError('too\nsmall')
      return a + 1
    },
  })

  async function linesOf(input: unknown, options: Parameters<typeof logMiddleware>[0] = {}) {
    const lines: string[] = []
    const middleware = [logMiddleware({ log: (line) => void lines.push(line), ...options })]
    const { call } = await new ToolExecutor({ tools: [add], middleware }).execute({ name: 'add', input })
    return lines.map((line) => line.replace(call.id, '#').replace(/[\d.]+ ms/, '? ms'))
  }

  it('writes a line for the start and one for the end', async () => {
    expect(await linesOf({ a: 1 })).toEqual([
      '# add called with {"a":1}',
      '# add ended with success after ? ms',
    ])
    expect(await linesOf({ a: -1 })).toEqual([
      '# add called with {"a":-1}',
      '# add ended with error after ? ms: RangeError (tool-threw), too small',
    ])
    const [, end] = await linesOf({ a: 'x' })
    expect(end).toMatch(/^# add ended with invalid: ToolError \(invalid-input\), /)
  })

  it('writes only an end for a call that was refused before', async () => {
    expect(await linesOf('{')).toEqual([expect.stringMatching(/^# add ended with invalid: /)])
  })

  it('bounds what it shows of an input and of an error', async () => {
    const [start] = await linesOf({ a: 1, secret: '😀'.repeat(500) })
    expect(start?.length).toBeLessThan(240)
    expect(start).not.toMatch(/\p{Surrogate}/u)
    expect(start?.endsWith('…')).toBe(true)
  })

  it('shows of an input what redact gives', async () => {
    const redact = vi.fn(({ a }: { a?: unknown }) => ({ a, secret: '***' }))
    const [start] = await linesOf({ a: 1, secret: 'pass' }, { redact: redact as never })
    expect(start).toBe('# add called with {"a":1,"secret":"***"}')
    expect(redact).toHaveBeenCalledWith({ a: 1, secret: 'pass' }, 'add')
  })

  it('never fails a call', async () => {
    const result = async (options: Parameters<typeof logMiddleware>[0]) =>
      new ToolExecutor({ tools: [add], middleware: [logMiddleware(options)] }).execute({
        name: 'add',
        input: { a: 1 },
      })
    const broken = fails(new Error('disk full')) as never
    expect((await result({ log: broken })).outcome).toBe('success')
    expect((await result({ log: () => {}, redact: broken })).outcome).toBe('success')
    expect((await result({ log: () => {}, redact: () => 1n })).outcome).toBe('success')
  })

  it('writes to the console when it is told nothing', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => {})
    try {
      await new ToolExecutor({ tools: [add], middleware: [logMiddleware()] }).execute({
        name: 'add',
        input: { a: 1 },
      })
      expect(info).toHaveBeenCalledTimes(2)
    } finally {
      info.mockRestore()
    }
  })

  it('refuses options that cannot be', () => {
    expect(() => logMiddleware({ log: 'console' as never })).toThrow('log: expected a function')
    expect(() => logMiddleware({ logger: () => {} } as never)).toThrow('no option "logger"')
  })
})
