import { ApprovalRequired, approvalRequired, ToolExecutor, Toolset, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { bare, call, Log, outcomesOf, simple, textsOf, untilStopped, wait } from './step-kit.ts'

const parallel = { parallelSafe: true } as const

describe('a call that needs a yes', () => {
  it('S4 reaches nobody when its input is not valid', async () => {
    const confirm = vi.fn(() => true)
    const remove = tool({
      name: 'del',
      description: 'Deletes.',
      inputSchema: v.object({ path: v.string() }),
      needsApproval: true,
      execute: () => 'deleted',
    })
    const executor = new ToolExecutor({ tools: [remove], confirm })
    const [result] = await executor.executeStep([{ name: 'del', input: { path: 123 } }])
    expect(result?.outcome).toBe('invalid')
    expect(confirm).not.toHaveBeenCalled()
  })

  it('S5 may be told by its check, for one input and not for another', async () => {
    const confirm = vi.fn(() => true)
    const remove = tool({
      name: 'del',
      description: 'Deletes.',
      inputSchema: v.object({ path: v.string() }),
      check: ({ path }) => {
        if (path.startsWith('/etc')) throw new ApprovalRequired('a system file')
      },
      execute: ({ path }) => path,
    })
    const executor = new ToolExecutor({ tools: [remove], confirm })
    const paths = ['/tmp/a', '/etc/b']
    const results = await executor.executeStep(paths.map((path) => ({ name: 'del', input: { path } })))
    expect(outcomesOf(results)).toEqual(['success', 'success'])
    expect(confirm.mock.calls).toMatchObject([[{ input: { path: '/etc/b' }, reasons: ['a system file'] }]])
  })

  it('P4 is refused when its arguments are cut off, and neither its rule nor the tool is called', async () => {
    const [needsApproval, execute] = [vi.fn(() => false), vi.fn()]
    const executor = new ToolExecutor({ tools: [simple('pay', execute, { needsApproval })] })
    const [result] = await executor.executeStep([{ name: 'pay', input: '{"a":' }])
    expect(result).toMatchObject({ outcome: 'invalid', origin: 'app', error: { code: 'invalid-input' } })
    expect(needsApproval).not.toHaveBeenCalled()
    expect(execute).not.toHaveBeenCalled()
  })

  it('P11 does not keep others waiting when its rule says that nobody is asked', async () => {
    const log = new Log()
    const tools = [log.tool('maybe', { ...parallel, needsApproval: () => false })]
    await new ToolExecutor({ tools }).executeStep([
      call('maybe', 'a'),
      call('maybe', 'b'),
      call('maybe', 'c'),
    ])
    expect(log.lines.slice(0, 3)).toEqual(['+a', '+b', '+c'])
  })

  it('P13 needs it as well when the executor is called without an agent', async () => {
    const execute = vi.fn()
    const executor = new ToolExecutor({ tools: [simple('pay', execute, { needsApproval: true })] })
    expect((await executor.execute(bare('pay'))).outcome).toBe('denied')
    expect(outcomesOf(await executor.executeStep([bare('pay'), bare('pay')]))).toEqual(['denied', 'denied'])
    expect(execute).not.toHaveBeenCalled()
  })

  it('P14 is asked about when any of the rules asks, whatever the others say', async () => {
    const confirm = vi.fn(() => false)
    const lenient = simple('pay', () => 'paid', { needsApproval: () => false })
    for (const source of [
      approvalRequired(new Toolset([lenient]), 'all'),
      approvalRequired(approvalRequired(new Toolset([lenient]), 'all'), 'all', () => false),
      new Toolset([lenient]).prepared((definition) => ({ ...definition, needsApproval: true })),
    ]) {
      const [result] = await new ToolExecutor({ tools: source, confirm }).executeStep([bare('pay')])
      expect(result?.outcome).toBe('denied')
    }
    expect(confirm).toHaveBeenCalledTimes(3)
  })

  it('that the person changed says so to the model, also when middleware rewrites the response', async () => {
    const executor = new ToolExecutor({
      tools: [new Log().tool('pay', { needsApproval: true })],
      confirm: () => ({ approved: true, reason: 'only this once', input: { id: 'b', ms: 1 } }),
      middleware: [
        {
          wrap: async (_call, _context, next) => {
            const result = await next()
            return { ...result, response: { ...result.response, text: 'redacted' } }
          },
        },
      ],
    })
    const { response } = await executor.execute(call('pay', 'a'))
    expect(response.text).toMatch(/^redacted\n.*\{"id":"b","ms":1\}.*\n.*only this once/)
  })
})

describe('a call of a step that fails', () => {
  const boom = simple('boom', async () => {
    await wait(5)
    throw new Error('broken')
  })

  it('S7 leaves the question about another one open', async () => {
    const executor = new ToolExecutor({
      tools: [simple('asks', () => 'ran', { needsApproval: true }), boom],
      confirm: 'pause',
    })
    const results = await executor.executeStep([bare('asks'), bare('boom')])
    expect(outcomesOf(results)).toEqual(['deferred', 'error'])
    expect(results[0]?.pending).toMatchObject({ kind: 'approval', toolName: 'asks' })
  })

  it('S8 P23 lets the others finish, and nothing of them is left when the step is over', async () => {
    const log = new Log()
    const executor = new ToolExecutor({ tools: [boom, log.tool('slow', parallel)] })
    const results = await executor.executeStep([bare('boom'), call('slow', 'a', 60)])
    expect(outcomesOf(results)).toEqual(['error', 'success'])
    const atTheEnd = [...log.lines]
    await wait(80)
    expect(log.lines).toEqual(atTheEnd)
  })

  it('S8 P23 aborts the others with failFast, waits for them, and says of each whether it may have run', async () => {
    const log: string[] = []
    const patient = simple('patient', async (_input: unknown, { signal }: { signal: AbortSignal }) => {
      await untilStopped(undefined, { signal }).catch(() => {})
      await wait(20)
      log.push('cleaned up')
      throw signal.reason
    })
    const never = vi.fn()
    const tools = [boom, patient, simple('last', never, { parallelSafe: false })]
    const results = await new ToolExecutor({ tools, failFast: true }).executeStep([
      bare('patient'),
      bare('boom'),
      bare('last'),
    ])
    expect(outcomesOf(results)).toEqual(['cancelled', 'error', 'cancelled'])
    expect(log).toEqual(['cleaned up'])
    expect(never).not.toHaveBeenCalled()
    const [first, , last] = textsOf(results)
    expect(first).toMatch(/may have run.*Another call of this step failed/)
    expect(last).toMatch(/before it ran.*Another call of this step failed/)
  })

  it('does not abort the others with failFast when it never got as far as to run', async () => {
    const log = new Log()
    const executor = new ToolExecutor({ tools: [log.tool('fine', parallel)], failFast: true })
    const results = await executor.executeStep([
      bare('nobody'),
      { name: 'fine', input: {} },
      call('fine', 'a'),
    ])
    expect(outcomesOf(results)).toEqual(['unknown', 'invalid', 'success'])
  })

  it('S9 at its deadline ends alone: the others are fine, and the next call works', async () => {
    const executor = new ToolExecutor({
      tools: [simple('spin', untilStopped, { timeoutMs: 30 }), new Log().tool('quick', parallel)],
    })
    const results = await executor.executeStep([bare('spin'), call('quick', 'a', 60)])
    expect(outcomesOf(results)).toEqual(['timeout', 'success'])
    expect(results[0]?.response.text).toContain('30 ms')
    expect(outcomesOf(await executor.executeStep([call('quick')]))).toEqual(['success'])
  })

  it('S9 that ignores its signal does not keep the step, and the model is told', async () => {
    const deaf = simple('deaf', () => new Promise(() => {}), { timeoutMs: 20 })
    const [result] = await new ToolExecutor({ tools: [deaf] }).executeStep([bare('deaf')])
    expect(result?.outcome).toBe('timeout')
    expect(result?.response.text).toContain('may still be running')
  })

  it('says that it timed out only when it was the deadline of its own', async () => {
    const slow = simple('slow', () => {
      throw new DOMException('the server took too long', 'TimeoutError')
    })
    const [result] = await new ToolExecutor({ tools: [slow] }).executeStep([bare('slow')])
    expect(result).toMatchObject({
      outcome: 'error',
      response: { text: expect.stringContaining('the server') },
    })
  })
})

describe('a call that may not run beside others', () => {
  it('starts after those before it, keeps back those behind it, and lets the rest run together', async () => {
    const log = new Log()
    const tools = [log.tool('par', parallel), log.tool('alone')]
    await new ToolExecutor({ tools }).executeStep([
      call('par', 'a', 30),
      call('alone', 'X', 5),
      call('alone', 'Y', 5),
      call('par', 'b', 30),
      call('par', 'c', 5),
    ])
    expect(log.lines).toEqual(['+a', '-a', '+X', '-X', '+Y', '-Y', '+b', '+c', '-c', '-b'])
  })

  it('does not keep others back when it was refused before', async () => {
    const log = new Log()
    const tools = [log.tool('par', parallel), log.tool('alone')]
    const executor = new ToolExecutor({ tools, permissions: { deny: ['alone'] } })
    await executor.executeStep([call('par', 'a', 20), call('alone', 'X'), call('par', 'b', 20)])
    expect(log.lines.slice(0, 2)).toEqual(['+a', '+b'])
  })

  it('lets those behind it run after the person said no', async () => {
    const log = new Log()
    const tools = [log.tool('par', parallel), log.tool('alone', { needsApproval: true })]
    const results = await new ToolExecutor({ tools, confirm: () => false }).executeStep([
      call('alone', 'X'),
      call('par', 'a'),
    ])
    expect(outcomesOf(results)).toEqual(['denied', 'success'])
  })

  it('waits, without a question of its own, when it stands behind one that waits', async () => {
    const log = new Log()
    const tools = [
      log.tool('asks', { ...parallel, needsApproval: true }),
      log.tool('par', parallel),
      log.tool('alone'),
    ]
    const results = await new ToolExecutor({ tools, confirm: 'pause' }).executeStep([
      call('asks', 'a'),
      call('par', 'b'),
      call('alone', 'X'),
      call('par', 'c'),
    ])
    expect(outcomesOf(results)).toEqual(['deferred', 'success', 'deferred', 'deferred'])
    expect(results.map(({ pending }) => pending?.toolName)).toEqual(['asks', undefined, undefined, undefined])
    expect(log.lines).toEqual(['+b', '-b'])
  })
})

describe('calls with a concurrency key', () => {
  const keyed = (log: Log, name = 'keyed') =>
    log.tool(name, {
      ...parallel,
      concurrencyKey: (input: unknown) => (input as { id: string }).id[0] ?? '',
    } as object)

  it('run in call order where it is equal, also when the one before takes longer', async () => {
    const log = new Log()
    await new ToolExecutor({ tools: [keyed(log)] }).executeStep([
      call('keyed', 'x1', 40),
      call('keyed', 'y1', 5),
      call('keyed', 'x2', 5),
      call('keyed', 'x3', 5),
    ])
    const ofX = log.lines.filter((line) => line[1] === 'x')
    expect(ofX).toEqual(['+x1', '-x1', '+x2', '-x2', '+x3', '-x3'])
    expect(log.lines.indexOf('-y1')).toBeLessThan(log.lines.indexOf('-x1'))
  })

  it('do not wait for those of another tool', async () => {
    const log = new Log()
    await new ToolExecutor({ tools: [keyed(log, 'one'), keyed(log, 'two')] }).executeStep([
      call('one', 'x1', 30),
      call('two', 'x2', 5),
    ])
    expect(log.lines.slice(0, 2)).toEqual(['+x1', '+x2'])
  })

  it('wait behind one that waits for an answer, and only they', async () => {
    const log = new Log()
    const asking = log.tool('keyed', {
      ...parallel,
      concurrencyKey: (input: unknown) => (input as { id: string }).id[0] ?? '',
      needsApproval: (input: unknown) => (input as { id: string }).id === 'x1',
    } as object)
    const results = await new ToolExecutor({ tools: [asking], confirm: 'pause' }).executeStep([
      call('keyed', 'x1'),
      call('keyed', 'x2'),
      call('keyed', 'y1'),
    ])
    expect(outcomesOf(results)).toEqual(['deferred', 'deferred', 'success'])
  })
})

describe('an aborted step', () => {
  it('P20 hands the signal to tools, checks, rules, middleware and the question', async () => {
    const seen: AbortSignal[] = []
    const abort = new AbortController()
    const note = (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
      seen.push(signal)
      // Twice middleware, a check, a rule, the question and a tool that runs.
      if (seen.length === 6) setTimeout(() => abort.abort())
    }
    const waits = simple('waits', (input: unknown, context: { readonly signal: AbortSignal }) => {
      note(input, context)
      return untilStopped(input, context)
    })
    const asks = simple('asks', () => 'ran', {
      check: note,
      needsApproval: (input: unknown, context: { readonly signal: AbortSignal }) => {
        note(input, context)
        return true
      },
    } as object)
    const executor = new ToolExecutor({
      tools: [waits, asks],
      confirm: (request) => {
        note(undefined, request)
        return new Promise<boolean>(() => {})
      },
      middleware: [{ before: note }],
    })
    const results = await executor.executeStep([bare('waits'), bare('asks')], { signal: abort.signal })
    expect(outcomesOf(results)).toEqual(['cancelled', 'cancelled'])
    expect(seen.map(({ aborted }) => aborted)).toEqual(Array(6).fill(true))
  })

  it('P21 says of a tool that ignores its signal that it may still be running', async () => {
    const abort = new AbortController()
    const deaf = simple(
      'deaf',
      () => {
        setTimeout(() => abort.abort())
        return wait(400)
      },
      { parallelSafe: false },
    )
    const results = await new ToolExecutor({ tools: [deaf] }).executeStep([bare('deaf'), bare('deaf')], {
      signal: abort.signal,
    })
    const [first, second] = textsOf(results)
    expect(first).toMatch(/may have run in part.*may still be running/)
    expect(second).toContain('before it ran')
  })
})
