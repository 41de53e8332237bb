import { type ExecutionEvent, ToolExecutor, type ToolMiddleware, ToolResponse, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'

const execute = vi.fn(({ n }: { n: number }) => `ran ${n}`)
const guarded = tool({
  name: 'guarded',
  description: 'Asks above 10.',
  inputSchema: v.object({ n: v.pipe(v.number(), v.maxValue(100)) }),
  needsApproval: ({ n }) => n > 10,
  execute: (input) => execute(input),
})

async function run(
  middleware: ToolMiddleware[],
  { n = 1, confirm = vi.fn(() => true), timeoutMs = 60_000 } = {},
) {
  execute.mockClear()
  const events: ExecutionEvent[] = []
  const executor = new ToolExecutor({
    tools: [guarded],
    middleware,
    confirm,
    timeoutMs,
    onEvent: (event) => events.push(event),
  })
  const result = await executor.execute({ name: 'guarded', input: { n } })
  return { result, confirm, events, text: result.response.text }
}

describe('before', () => {
  it('may give another input, which is then checked like any', async () => {
    const { result } = await run([{ before: () => ({ input: { n: 2 } }) }])
    expect(result).toMatchObject({
      response: { text: 'ran 2' },
      executedInput: { n: 2 },
      call: { input: { n: 1 } },
    })
    expect((await run([{ before: () => ({ input: { n: 200 } }) }])).result.outcome).toBe('invalid')
  })

  it('may answer in place of the tool', async () => {
    const { result } = await run([{ before: () => ({ response: ToolResponse.ok('cached') }) }])
    expect(result).toMatchObject({ outcome: 'success', response: { text: 'cached' } })
    expect(execute).not.toHaveBeenCalled()
  })

  it('runs in list order, each seeing what the one before it made', async () => {
    const add: ToolMiddleware = { before: (call) => ({ input: { n: Number(call.input.n) + 1 } }) }
    const double: ToolMiddleware = { before: (call) => ({ input: { n: Number(call.input.n) * 2 } }) }
    expect((await run([add, double])).text).toBe('ran 4')
  })

  it('blocks the call when it throws, and names itself', async () => {
    const { result, text } = await run([
      {
        name: 'office hours',
        before: () => {
          throw new Error('closed')
        },
      },
    ])
    expect(result).toMatchObject({ outcome: 'denied', error: { code: 'middleware' } })
    expect(text).toContain('office hours: closed')
    expect(execute).not.toHaveBeenCalled()
  })

  it('cannot change the input in place', async () => {
    const { result } = await run([{ before: (call) => void Object.assign(call.input, { n: 99 }) }])
    expect(result.outcome).toBe('denied')
    expect(execute).not.toHaveBeenCalled()
  })
})

describe('wrap', () => {
  it('is an onion, the first of the list outermost', async () => {
    const order: string[] = []
    const layer = (name: string): ToolMiddleware => ({
      wrap: async (_call, _context, next) => {
        order.push(`${name} in`)
        const result = await next()
        order.push(`${name} out`)
        return result
      },
    })
    await run([layer('a'), layer('b')])
    expect(order).toEqual(['a in', 'b in', 'b out', 'a out'])
  })

  it('may change the response and keeps the error of an ending that passes', async () => {
    const redact: ToolMiddleware = {
      wrap: async (_call, _context, next) => {
        const result = await next()
        return { ...result, response: { ...result.response, text: 'redacted' } }
      },
    }
    expect((await run([redact])).result).toMatchObject({ outcome: 'success', response: { text: 'redacted' } })
    execute.mockImplementationOnce(() => {
      throw Object.assign(new Error('secret'), { code: 'E_X' })
    })
    const executor = new ToolExecutor({ tools: [guarded], middleware: [redact] })
    expect(await executor.execute({ name: 'guarded', input: { n: 1 } })).toMatchObject({
      outcome: 'error',
      response: { text: 'redacted' },
      error: { code: 'E_X' },
    })
  })

  it('may run the tool again, to retry', async () => {
    execute.mockImplementationOnce(() => {
      throw new Error('flaky')
    })
    const executor = new ToolExecutor({
      tools: [guarded],
      middleware: [
        {
          wrap: async (_call, _context, next) => {
            const first = await next()
            return first.outcome === 'error' ? next() : first
          },
        },
      ],
    })
    expect((await executor.execute({ name: 'guarded', input: { n: 1 } })).response.text).toBe('ran 1')
  })

  it('that throws before the tool blocks it, and after the tool says that it may have run', async () => {
    const early = await run([{ wrap: () => Promise.reject(new Error('no')) }])
    expect(early.result.outcome).toBe('denied')
    expect(execute).not.toHaveBeenCalled()
    const late = await run([
      {
        wrap: async (_call, _context, next) => {
          await next()
          throw new Error('lost it')
        },
      },
    ])
    expect(late.result.outcome).toBe('error')
    expect(late.text).toContain('may have had its effect')
    expect(execute).toHaveBeenCalledOnce()
  })

  it('that gives back nothing blocks the call', async () => {
    const { result } = await run([
      { wrap: (async () => undefined) as unknown as NonNullable<ToolMiddleware['wrap']> },
    ])
    expect(result.outcome).toBe('denied')
  })

  it('that never answers is ended by the deadline', async () => {
    const { result, text } = await run([{ wrap: () => new Promise(() => {}) }], { timeoutMs: 40 })
    expect(result.outcome).toBe('denied')
    expect(text).toContain('40 ms')
  })

  it('that returns while the tool runs does not leave it running', async () => {
    let aborted = false
    const slow = tool({
      name: 'slow',
      description: 'Runs until told.',
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            aborted = true
            reject(signal.reason)
          }),
        ),
    })
    const impatient: ToolMiddleware = {
      wrap: async (_call, _context, next) => {
        void next()
        return { outcome: 'success', response: ToolResponse.ok('did not wait') }
      },
    }
    const result = await new ToolExecutor({ tools: [slow], middleware: [impatient] }).execute({
      name: 'slow',
      input: {},
    })
    expect(result.response.text).toBe('did not wait')
    expect(aborted).toBe(true)
  })
})

describe('next with another input', () => {
  const change = (n: number): ToolMiddleware => ({ wrap: (_call, _context, next) => next({ n }) })

  it('runs it after checking it again', async () => {
    expect((await run([change(5)])).result).toMatchObject({
      response: { text: 'ran 5' },
      executedInput: { n: 5 },
    })
    expect((await run([change(500)])).result.outcome).toBe('invalid')
    expect(execute).not.toHaveBeenCalled()
  })

  it('asks the person when the changed call needs it, and shows the changed input', async () => {
    const { result, confirm } = await run([change(50)])
    expect(confirm).toHaveBeenCalledOnce()
    expect(confirm.mock.calls[0]).toMatchObject([{ input: { n: 50 } }])
    expect(result).toMatchObject({ response: { text: 'ran 50' }, approvedInput: { n: 50 } })
  })

  it('does not run when the person says no', async () => {
    const { result } = await run([change(50)], { confirm: vi.fn(() => false) })
    expect(result.outcome).toBe('denied')
    expect(execute).not.toHaveBeenCalled()
  })

  it('asks again when what was approved is changed, and denies a second change', async () => {
    let n = 50
    const restless: ToolMiddleware = {
      wrap: (_call, _context, next) => {
        n += 1
        return next({ n })
      },
    }
    const { result, confirm } = await run([restless], { n: 20 })
    expect(result.outcome).toBe('denied')
    expect(confirm).toHaveBeenCalledTimes(2)
    expect(execute).not.toHaveBeenCalled()
  })
})

describe('after', () => {
  it('sees every ending', async () => {
    const endings: string[] = []
    const executor = new ToolExecutor({
      tools: [guarded],
      middleware: [{ after: (result) => void endings.push(result.outcome) }],
    })
    await executor.execute({ name: 'guarded', input: { n: 1 } })
    await executor.execute({ name: 'guarded', input: { n: 'x' } })
    await executor.execute({ name: 'guarded', input: { n: 50 } })
    await executor.execute({ name: 'nobody', input: {} })
    expect(endings).toEqual(['success', 'invalid', 'denied', 'unknown'])
  })

  it('cannot change the result, and its failure is an event', async () => {
    const { result, events } = await run([
      {
        after: (seen) => {
          Object.assign(seen, { outcome: 'error' })
        },
      },
    ])
    await Promise.resolve()
    expect(result.outcome).toBe('success')
    expect(events.find((event) => event.type === 'error')).toMatchObject({ error: expect.any(TypeError) })
  })
})

it('refuses middleware with a misspelt function', () => {
  expect(
    () => new ToolExecutor({ tools: [guarded], middleware: [{ befor: () => {} } as ToolMiddleware] }),
  ).toThrow('Did you mean "before"?')
})
