import {
  type ListedTool,
  type MiddlewareContext,
  ModelRetry,
  ToolExecutor,
  type ToolMiddleware,
  ToolResponse,
  Toolset,
  tool,
} from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { bare, outcomesOf, simple, untilStopped, wait } from './step-kit.ts'

const execute = vi.fn(({ n }: { n: number }) => `ran ${n}`)
const numbers = tool({
  name: 'numbers',
  description: 'Takes a number up to 100.',
  inputSchema: v.object({ n: v.pipe(v.number(), v.maxValue(100)) }),
  effect: ({ n }) => (n > 50 ? 'external' : 'none'),
  execute: (input) => execute(input),
})

function run(middleware: readonly ToolMiddleware[], options = {}) {
  execute.mockClear()
  const executor = new ToolExecutor({ tools: [numbers], middleware, ...options })
  return executor.execute({ name: 'numbers', input: { n: 1 } })
}

/** Writes down when it is entered and left. */
function layer(name: string, lines: string[]): ToolMiddleware {
  return {
    name,
    before: () => void lines.push(`${name} before`),
    wrap: async (_call, _context, next) => {
      lines.push(`${name} in`)
      const result = await next()
      lines.push(`${name} out`)
      return result
    },
    after: () => void lines.push(`${name} after`),
  }
}

describe('the middleware of an agent and of its toolsets', () => {
  it('D1 is one onion: the agent’s outermost, then that of the wrapper further out', async () => {
    const lines: string[] = []
    const source = new Toolset([numbers])
      .wrapped(layer('inner', lines))
      .prefixed('my')
      .wrapped(layer('outer', lines), layer('second', lines))
    const executor = new ToolExecutor({ tools: [source], middleware: [layer('agent', lines)] })
    await executor.execute({ name: 'my_numbers', input: { n: 1 } })
    expect(lines).toEqual([
      ...['agent before', 'outer before', 'second before', 'inner before'],
      ...[
        'agent in',
        'outer in',
        'second in',
        'inner in',
        'inner out',
        'second out',
        'outer out',
        'agent out',
      ],
      ...['agent after', 'outer after', 'second after', 'inner after'],
    ])
  })

  it('runs for the tools of its toolset only, and sees all their endings', async () => {
    const [endings, lines]: [string[], string[]] = [[], []]
    const guarded = new Toolset([numbers]).wrapped({ after: ({ outcome }) => void endings.push(outcome) })
    const executor = new ToolExecutor({
      tools: [guarded, simple('free', () => 'ok')],
      middleware: [{ after: ({ call }) => void lines.push(call.name) }],
      permissions: { deny: [] },
    })
    await executor.execute({ name: 'numbers', input: { n: 1 } })
    await executor.execute({ name: 'numbers', input: '{' })
    await executor.execute({ name: 'numbers', input: { n: 101 } })
    await executor.execute(bare('free'))
    await executor.execute(bare('nobody'))
    await executor.executeStep([{ name: 'numbers', input: { n: 1 } }], { cutOff: 'length' })
    expect(endings).toEqual(['success', 'invalid', 'invalid', 'cut-off'])
    expect(lines).toEqual(['numbers', 'numbers', 'numbers', 'free', 'nobody', 'numbers'])
  })

  it('S22 is told the tool, the call and how it is judged', async () => {
    const seen: MiddlewareContext[] = []
    const executor = new ToolExecutor({
      tools: [numbers],
      timeoutMs: 1_234,
      middleware: [
        {
          wrap: (call, context, next) => {
            expect(call).toMatchObject({ name: 'numbers', input: { n: 60 } })
            seen.push(context)
            return next()
          },
        },
      ],
    })
    const options = { deps: 'the deps', runId: 'r', step: 3 }
    await executor.execute({ name: 'numbers', input: { n: 60 } }, options)
    const [listed] = (await executor.list()) as [ListedTool]
    expect(seen).toMatchObject([
      { ...options, origin: 'app', fingerprint: listed.fingerprint, labels: { effect: 'external' } },
    ])
    // The deadline that counts is the agent's, as the tool sets none.
    expect(seen[0]?.definition).toEqual({ ...listed.definition, timeoutMs: 1_234 })
  })
})

describe('what middleware puts in place of the input', () => {
  it('D2 S22 reaches the tool, checked like any', async () => {
    const change = (n: unknown): ToolMiddleware => ({
      wrap: (_call, _context, next) => next({ n } as never),
    })
    expect(await run([change(2)])).toMatchObject({ response: { text: 'ran 2' }, executedInput: { n: 2 } })
    expect((await run([change(101)])).outcome).toBe('invalid')
    expect((await run([change('2')])).outcome).toBe('invalid')
    expect(execute).not.toHaveBeenCalled()
  })

  it('D2 is what the layers further in see', async () => {
    const seen: unknown[] = []
    await run([
      { wrap: (_call, _context, next) => next({ n: 2 }) },
      {
        wrap: (call, _context, next) => {
          seen.push(call.input)
          return next()
        },
      },
    ])
    expect(seen).toEqual([{ n: 2 }])
  })

  it('is what the labels are of, once it ran', async () => {
    const effects: unknown[] = []
    await run([
      {
        wrap: async (_call, context, next) => {
          effects.push(context.labels?.effect)
          const result = await next({ n: 60 })
          effects.push(context.labels?.effect)
          return result
        },
      },
    ])
    expect(effects).toEqual(['none', 'external'])
  })
})

describe('a guard', () => {
  it('D6 that throws keeps the call from running, in each of its places', async () => {
    const broken = () => {
      throw new TypeError('cannot read session')
    }
    for (const guard of [{ before: broken }, { wrap: broken }] as readonly ToolMiddleware[]) {
      expect(await run([guard])).toMatchObject({ outcome: 'denied', error: { code: 'middleware' } })
      expect(await run([layer('a', []), guard, layer('b', [])])).toMatchObject({ outcome: 'denied' })
    }
    expect(execute).not.toHaveBeenCalled()
  })

  it.each([
    ['a text', { response: 'not now' }],
    ['an object without a status', { response: { text: 'not now' } }],
    ['an object without a text', { response: { status: 'success' } }],
    ['nothing', { response: undefined }],
    ['a list', { input: [1] }],
  ])('that answers with %s blocks the call, and the step goes on', async (_what, answer) => {
    const executor = new ToolExecutor({
      tools: [numbers, simple('free', () => 'ok')],
      middleware: [{ before: ({ name }) => (name === 'free' ? undefined : (answer as never)) }],
    })
    const results = await executor.executeStep([{ name: 'numbers', input: { n: 1 } }, bare('free')])
    expect(outcomesOf(results)).toEqual(['denied', 'success'])
  })

  it.each([
    ['a text', { outcome: 'success', response: 'fine' }],
    ['an object without a text', { outcome: 'success', response: { status: 'success' } }],
    ['the outcome deferred, which it made up', { outcome: 'deferred', response: ToolResponse.ok('later') }],
  ])('whose wrap gives %s blocks the call, and the step goes on', async (_what, result) => {
    const executor = new ToolExecutor({
      tools: [numbers, simple('free', () => 'ok')],
      middleware: [{ wrap: ({ name }, _context, next) => (name === 'free' ? next() : (result as never)) }],
    })
    const results = await executor.executeStep([{ name: 'numbers', input: { n: 1 } }, bare('free')])
    expect(outcomesOf(results)).toEqual(['denied', 'success'])
  })
})

describe('the places of middleware', () => {
  it('D9 D11 are: after the permissions, before the check; wrap only once the call runs; after always', async () => {
    const lines: string[] = []
    const traced = tool({
      name: 'traced',
      description: 'Traced.',
      inputSchema: v.object({ n: v.number() }),
      check: () => void lines.push('check'),
      needsApproval: () => {
        lines.push('policy')
        return true
      },
      execute: () => void lines.push('run'),
    })
    const executor = (options = {}) =>
      new ToolExecutor({
        tools: [traced],
        middleware: [layer('m', lines)],
        confirm: () => {
          lines.push('approve')
          return true
        },
        ...options,
      })
    const linesOf = async (input: unknown, options = {}) => {
      lines.length = 0
      await executor(options).execute({ name: 'traced', input })
      return [...lines]
    }
    expect(await linesOf({ n: 1 })).toEqual([
      ...['m before', 'check', 'policy', 'approve', 'm in', 'run', 'm out', 'm after'],
    ])
    expect(await linesOf({ n: 'x' })).toEqual(['m before', 'm after'])
    expect(await linesOf({ n: 1 }, { permissions: { allow: [] } })).toEqual(['m after'])
    expect(await linesOf({ n: 1 }, { confirm: () => false })).toEqual([
      ...['m before', 'check', 'policy', 'm after'],
    ])
  })

  it('S22 let `after` see a tool that throws, once', async () => {
    const after = vi.fn()
    const boom = simple('boom', () => {
      throw new Error('broken')
    })
    await new ToolExecutor({ tools: [boom], middleware: [{ after }] }).execute(bare('boom'))
    expect(after.mock.calls).toMatchObject([[{ outcome: 'error', response: { text: 'Error: broken' } }, {}]])
  })
})

describe('next()', () => {
  it('says why the call failed', async () => {
    const errors: unknown[] = []
    const retrying = simple('again', () => {
      throw new ModelRetry('more')
    })
    const executor = new ToolExecutor({
      tools: [retrying],
      middleware: [
        {
          wrap: async (_call, _context, next) => {
            const result = await next()
            errors.push(result)
            return result
          },
        },
      ],
    })
    await executor.execute(bare('again'))
    expect(errors).toMatchObject([{ outcome: 'error', error: { code: 'model-retry' } }])
  })

  it('does not give its error to an ending that middleware made a success of', async () => {
    const boom = simple('boom', () => {
      throw new Error('broken')
    })
    const forgiving: ToolMiddleware = {
      wrap: async (_call, _context, next) => ({
        ...(await next()),
        outcome: 'success',
        response: ToolResponse.ok('nothing happened'),
      }),
    }
    const result = await new ToolExecutor({ tools: [boom], middleware: [forgiving] }).execute(bare('boom'))
    expect(result).toMatchObject({ outcome: 'success', response: { text: 'nothing happened' } })
    expect(result).not.toHaveProperty('error')
  })

  it('runs nothing once the call has its result', async () => {
    const late: Promise<unknown>[] = []
    const result = await run([
      {
        wrap: async (_call, _context, next) => {
          late.push(wait(10).then(() => next()))
          return { outcome: 'success', response: ToolResponse.ok('early') }
        },
      },
    ])
    expect(result.response.text).toBe('early')
    await expect(late[0]).rejects.toThrow('after numbers had ended')
    expect(execute).not.toHaveBeenCalled()
  })

  it('that is called after an abort starts nothing', async () => {
    const abort = new AbortController()
    const ran = vi.fn((input: unknown, context: { readonly signal: AbortSignal }) => {
      setTimeout(() => abort.abort())
      return untilStopped(input, context)
    })
    const stubborn: ToolMiddleware = {
      wrap: async (_call, _context, next) => {
        await next()
        return next()
      },
    }
    const executor = new ToolExecutor({ tools: [simple('slow', ran)], middleware: [stubborn] })
    const result = await executor.execute(bare('slow'), { signal: abort.signal })
    expect(result.outcome).toBe('cancelled')
    expect(ran).toHaveBeenCalledOnce()
  })

  it('gives code round it the whole deadline again after each run of the tool', async () => {
    const patient: ToolMiddleware = {
      wrap: async (_call, _context, next) => {
        for (let index = 0; index < 3; index += 1) {
          await wait(50)
          await next()
        }
        return next()
      },
    }
    expect((await run([patient], { timeoutMs: 100 })).outcome).toBe('success')
  })
})
