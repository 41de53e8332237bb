import {
  type ExecutionEvent,
  ModelRetry,
  modelTextsZh,
  ToolExecutor,
  ToolFailed,
  ToolResponse,
  tool,
} from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'

const echo = tool({
  name: 'echo',
  description: 'Say it again.',
  inputSchema: v.object({ text: v.string(), times: v.optional(v.number(), 1) }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ text, times }) => text.repeat(times),
})

const asking = tool({
  name: 'asking',
  description: 'Needs a yes.',
  inputSchema: v.object({ amount: v.pipe(v.number(), v.maxValue(100)) }),
  needsApproval: true,
  execute: ({ amount }, { approval }) => `paid ${amount}${approval?.reason ? ` (${approval.reason})` : ''}`,
})

describe('the order of the gate', () => {
  it('asks permissions before middleware, middleware before the schema, and the person last', async () => {
    const order: string[] = []
    const ordered = tool({
      name: 'ordered',
      description: 'Shows the order.',
      inputSchema: v.pipe(
        v.object({ a: v.string() }),
        v.check(() => {
          order.push('schema')
          return true
        }),
      ),
      check: () => void order.push('check'),
      needsApproval: () => {
        order.push('needsApproval')
        return true
      },
      execute: () => void order.push('execute'),
    })
    const executor = new ToolExecutor({
      tools: [ordered],
      confirm: () => {
        order.push('confirm')
        return true
      },
      middleware: [
        {
          before: () => void order.push('before'),
          wrap: async (_call, _context, next) => {
            order.push('wrap')
            return next()
          },
          after: () => void order.push('after'),
        },
      ],
    })
    await executor.execute({ name: 'ordered', input: { a: 'x' } })
    // The schema is applied once for the gate and once more right beside execute.
    expect(order).toEqual([
      'before',
      'schema',
      'check',
      'needsApproval',
      'confirm',
      'wrap',
      'schema',
      'execute',
      'after',
    ])
  })

  it('never asks the person about a call that the permissions refuse', async () => {
    const confirm = vi.fn(() => true)
    const before = vi.fn()
    const executor = new ToolExecutor({
      tools: [asking],
      confirm,
      middleware: [{ before }],
      permissions: { deny: ['asking'] },
    })
    const result = await executor.execute({ name: 'asking', input: { amount: 1 } })
    expect(result.outcome).toBe('not-allowed')
    expect(result.response.text).toContain('"asking" is on the deny list')
    expect(confirm).not.toHaveBeenCalled()
    expect(before).not.toHaveBeenCalled()
  })

  it('never asks the person about an input that is not valid', async () => {
    const confirm = vi.fn(() => true)
    const executor = new ToolExecutor({ tools: [asking], confirm })
    const result = await executor.execute({ name: 'asking', input: { amount: 1000 } })
    expect(result).toMatchObject({ outcome: 'invalid', error: { code: 'invalid-input' } })
    expect(result.response.text).toContain("parameter 'amount'")
    expect(confirm).not.toHaveBeenCalled()
  })

  it('emits every event of a call, in order, under one id', async () => {
    const events: ExecutionEvent[] = []
    const executor = new ToolExecutor({
      tools: [asking],
      confirm: () => true,
      onEvent: (event) => events.push(event),
    })
    const result = await executor.execute({ name: 'asking', input: { amount: 5 } })
    expect(events.map((event) => event.type)).toEqual([
      'call',
      'approval-requested',
      'approval-answered',
      'call-started',
      'result',
    ])
    expect(new Set(events.map((event) => event.callId))).toEqual(new Set([result.call.id]))
    expect(events.every((event, index) => index === 0 || event.at >= (events[index - 1]?.at ?? 0))).toBe(true)
  })
})

describe('finding a tool', () => {
  it('answers an unknown name with the closest one and at most 20 names', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      tool({ name: `tool_${index}`, description: 'One of many.', execute: () => 1 }),
    )
    const executor = new ToolExecutor({ tools: [echo, ...many] })
    const { outcome, response } = await executor.execute({ name: 'ecko', input: {} })
    expect(outcome).toBe('unknown')
    expect(response.text).toContain('Did you mean "echo"?')
    expect(response.text.match(/tool_\d+/g)).toHaveLength(19)
  })

  it('never names a tool that the permissions hide', async () => {
    const executor = new ToolExecutor({ tools: [echo, asking], permissions: { deny: ['asking'] } })
    const { response } = await executor.execute({ name: 'askin', input: {} })
    expect(response.text).not.toContain('asking')
  })

  it('runs no tool by a name that is only close', async () => {
    const executor = new ToolExecutor({ tools: [echo] })
    for (const name of ['Echo', 'ech', 'echo(1)', '']) {
      expect(await executor.execute({ name, input: { text: 'a' } })).toMatchObject({ outcome: 'unknown' })
    }
  })
})

describe('permissions', () => {
  const outcomeWith = async (permissions: ConstructorParameters<typeof ToolExecutor>[0]['permissions']) =>
    (await new ToolExecutor({ tools: [echo], permissions }).execute({ name: 'echo', input: { text: 'a' } }))
      .outcome

  it.each([
    ['no lists', {}, 'success'],
    ['null lists', { allow: null, deny: null, allowOrigins: null, denyOrigins: null }, 'success'],
    ['an empty allow list', { allow: [] }, 'not-allowed'],
    ['an empty origin list', { allowOrigins: [] }, 'not-allowed'],
    ['its name allowed', { allow: ['echo'] }, 'success'],
    ['another name allowed', { allow: ['other'] }, 'not-allowed'],
    ['its origin allowed', { allowOrigins: ['app'] }, 'success'],
    ['name or origin', { allow: ['other'], allowOrigins: ['app'] }, 'success'],
    ['name and origin', { allow: ['other'], allowOrigins: ['app'], match: 'all' }, 'not-allowed'],
    ['deny over allow', { allow: ['echo'], deny: ['echo'] }, 'not-allowed'],
    ['its origin denied', { allow: ['echo'], denyOrigins: ['app'] }, 'not-allowed'],
  ] as const)('with %s', async (_title, permissions, outcome) => {
    expect(await outcomeWith(permissions)).toBe(outcome)
  })

  it('refuses a bare string, which would be read as letters, and a misspelt key', () => {
    const make = (permissions: object) => () => new ToolExecutor({ tools: [echo], permissions })
    expect(make({ deny: 'echo' })).toThrow('permissions.deny: expected a list of strings')
    expect(make({ denny: ['echo'] })).toThrow('Did you mean "deny"?')
  })

  it('of one call can only narrow those of the executor', async () => {
    const executor = new ToolExecutor({ tools: [echo, asking], permissions: { allow: ['echo'] } })
    const call = (name: string, permissions: object) =>
      executor.execute({ name, input: { text: 'a' } }, { permissions })
    expect((await call('asking', { allow: ['asking'] })).outcome).toBe('not-allowed')
    expect((await call('echo', { deny: ['echo'] })).outcome).toBe('not-allowed')
    expect((await call('echo', { allow: ['echo'] })).outcome).toBe('success')
  })
})

describe('arguments', () => {
  it('may be an object or the JSON text of one object, and nothing else', async () => {
    const executor = new ToolExecutor({ tools: [echo] })
    const run = (input: unknown) => executor.execute({ name: 'echo', input })
    expect((await run({ text: 'a' })).response.text).toBe('a')
    expect((await run('{"text":"b"}')).response.text).toBe('b')
    for (const input of [
      '',
      '[]',
      'null',
      '{"text":"a"',
      "{'text': 'a'}",
      1,
      null,
      [],
      '"{}"',
      '{"text":"a"}{"text":"b"}',
    ]) {
      expect((await run(input)).outcome, JSON.stringify(input)).toBe('invalid')
    }
  })

  it('that run code when they are looked at end the call, never the caller', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const executor = new ToolExecutor({ tools: [echo] })
    const hostile = [
      proxy,
      {
        get text(): string {
          throw new Error('gotcha')
        },
      },
      {
        toJSON: () => {
          throw new Error('gotcha')
        },
      },
    ]
    for (const input of hostile) {
      for (const name of ['echo', 'nobody']) {
        expect((await executor.execute({ name, input })).outcome).toBe(
          name === 'echo' ? 'invalid' : 'unknown',
        )
      }
    }
  })

  it('are shown with defaults filled in and unknown keys gone, and are frozen', async () => {
    let shown: object = {}
    const defaults = tool({
      name: 'defaults',
      description: 'Has defaults.',
      inputSchema: v.object({ list: v.optional(v.array(v.string()), ['a']) }),
      needsApproval: true,
      execute: ({ list }) => list.length,
    })
    const executor = new ToolExecutor({
      tools: [defaults],
      confirm: ({ input }) => {
        shown = input
        return true
      },
    })
    const result = await executor.execute({ name: 'defaults', input: { other: 1 } })
    expect(shown).toEqual({ list: ['a'] })
    expect(result).toMatchObject({
      call: { input: { list: ['a'] } },
      executedInput: { list: ['a'] },
      droppedKeys: ['other'],
    })
    expect(Object.isFrozen(shown)).toBe(true)
    expect(Object.isFrozen((shown as { list: string[] }).list)).toBe(true)
  })
})

describe('what a tool throws', () => {
  const throwing = (error: unknown) =>
    new ToolExecutor({
      tools: [
        tool({
          name: 'throwing',
          description: 'Throws.',
          execute: () => {
            throw error
          },
        }),
      ],
    }).execute({ name: 'throwing', input: {} })

  it('becomes an error response with the message and without the stack', async () => {
    const { outcome, response, error } = await throwing(new RangeError('too far'))
    expect(outcome).toBe('error')
    expect(response.text).toBe('RangeError: too far')
    expect(error).toMatchObject({ code: 'tool-threw', name: 'RangeError' })
  })

  it('keeps code and retryable flag', async () => {
    const { error } = await throwing(Object.assign(new Error('no'), { code: 'E_DENIED', retryable: true }))
    expect(error).toMatchObject({ code: 'E_DENIED', retryable: true, message: 'no' })
  })

  it('asks the model to try again with ModelRetry, and says it failed with ToolFailed', async () => {
    expect(await throwing(new ModelRetry('Use a date.'))).toMatchObject({
      outcome: 'error',
      error: { code: 'model-retry' },
      response: { text: 'Use a date.\nFix this and call again.' },
    })
    expect(await throwing(new ToolFailed('No such city.'))).toMatchObject({
      outcome: 'error',
      error: { code: 'tool-failed' },
      response: { text: 'No such city.' },
    })
  })

  it('is cut when it is long', async () => {
    const { response } = await throwing(new Error('x'.repeat(50_000)))
    expect(response.text.length).toBeLessThan(1_100)
  })
})

describe('results', () => {
  it('carry no lone surrogate', async () => {
    const torn = tool({ name: 'torn', description: 'Gives half a pair.', execute: () => 'ok \ud83d' })
    const { response } = await new ToolExecutor({ tools: [torn] }).execute({ name: 'torn', input: {} })
    expect(response.text).toBe('ok \ufffd')
  })

  it('say (no output) for nothing, in the language of the texts', async () => {
    const silent = tool({ name: 'silent', description: 'Says nothing.', execute: () => undefined })
    const text = async (texts = {}) =>
      (await new ToolExecutor({ tools: [silent], texts }).execute({ name: 'silent', input: {} })).response
        .text
    expect(await text()).toBe('(no output)')
    expect(await text(modelTextsZh)).toBe('(无输出)')
    expect(await text({ noOutput: 'nothing' })).toBe('nothing')
  })

  it('keep the status that the tool gave', async () => {
    const partial = tool({
      name: 'part',
      description: 'Partial.',
      execute: () => ToolResponse.partial('half'),
    })
    const failed = tool({ name: 'bad', description: 'Error.', execute: () => ToolResponse.error('no') })
    const executor = new ToolExecutor({ tools: [partial, failed] })
    expect((await executor.execute({ name: 'part', input: {} })).outcome).toBe('partial')
    expect((await executor.execute({ name: 'bad', input: {} })).outcome).toBe('error')
  })

  it('say when data does not fit the output schema', async () => {
    const wrong = tool({
      name: 'wrong',
      description: 'Promises a number.',
      outputSchema: v.object({ n: v.number() }),
      execute: () => ({ n: 'x' }),
    })
    const result = await new ToolExecutor({ tools: [wrong] }).execute({ name: 'wrong', input: {} })
    expect(result).toMatchObject({ outcome: 'error', error: { code: 'invalid-output' } })
    expect(result.response.text).toContain('at "n": ')
  })
})

describe('deadlines in the page', () => {
  it('abort the tool with a TimeoutError and settle the call as a timeout', async () => {
    let reason: unknown
    const slow = tool({
      name: 'slow',
      description: 'Waits for ever.',
      timeoutMs: 30,
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason
            reject(signal.reason)
          })
        }),
    })
    const result = await new ToolExecutor({ tools: [slow] }).execute({ name: 'slow', input: {} })
    expect(result).toMatchObject({ outcome: 'timeout', error: { code: 'timeout' } })
    expect(result.response.text).toContain('30 ms')
    expect(reason).toMatchObject({ name: 'TimeoutError' })
  })

  it('settle a call whose tool ignores its signal, and say that it may still run', async () => {
    const deaf = tool({ name: 'deaf', description: 'Ignores all.', execute: () => new Promise(() => {}) })
    const executor = new ToolExecutor({ tools: [deaf], timeoutMs: 20 })
    const result = await executor.execute({ name: 'deaf', input: {} })
    expect(result.outcome).toBe('timeout')
    expect(result.response.text).toContain('may still be running')
  })

  it('of the tool win over the default', async () => {
    const patient = tool({
      name: 'patient',
      description: 'Takes a while.',
      timeoutMs: 5_000,
      execute: () => new Promise((resolve) => setTimeout(resolve, 60, 'done')),
    })
    const result = await new ToolExecutor({ tools: [patient], timeoutMs: 10 }).execute({
      name: 'patient',
      input: {},
    })
    expect(result.response.text).toBe('done')
  })

  it('do not count while the person thinks', async () => {
    const executor = new ToolExecutor({
      tools: [asking],
      timeoutMs: 20,
      confirm: () => new Promise((resolve) => setTimeout(resolve, 80, true)),
    })
    expect((await executor.execute({ name: 'asking', input: { amount: 1 } })).outcome).toBe('success')
  })
})
