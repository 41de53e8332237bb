import { type ExecutionEvent, ToolExecutor, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Tools that log when they start and end; `wait_*` may run beside others, `alone` may not. */
function loggingTools() {
  const log: string[] = []
  const body = async ({ id, ms = 15 }: { id: string; ms?: number | undefined }) => {
    log.push(`+${id}`)
    await wait(ms)
    log.push(`-${id}`)
    return id
  }
  const inputSchema = v.object({ id: v.string(), ms: v.optional(v.number()) })
  const parallel = tool({
    name: 'parallel',
    description: 'Parallel.',
    inputSchema,
    parallelSafe: true,
    execute: body,
  })
  const alone = tool({ name: 'alone', description: 'Alone.', inputSchema, execute: body })
  const asking = tool({
    name: 'asking',
    description: 'Asks.',
    inputSchema,
    parallelSafe: true,
    needsApproval: true,
    execute: body,
  })
  const aloneAsking = tool({
    name: 'alone_asking',
    description: 'Asks.',
    inputSchema,
    needsApproval: true,
    execute: body,
  })
  return { log, tools: [parallel, alone, asking, aloneAsking] }
}

const call = (name: string, id: string, ms?: number) => ({
  name,
  input: ms === undefined ? { id } : { id, ms },
})

describe('the calls of a step', () => {
  it('run together when all are parallel-safe, and their results come in call order', async () => {
    const { log, tools } = loggingTools()
    const executor = new ToolExecutor({ tools })
    const results = await executor.executeStep([
      call('parallel', 'a', 40),
      call('parallel', 'b', 5),
      call('parallel', 'c', 20),
    ])
    expect(log).toEqual(['+a', '+b', '+c', '-b', '-c', '-a'])
    expect(results.map((result) => result.response.text)).toEqual(['a', 'b', 'c'])
  })

  it('wait at a call that is not parallel-safe, which runs alone', async () => {
    const { log, tools } = loggingTools()
    await new ToolExecutor({ tools }).executeStep([
      call('parallel', 'a', 20),
      call('parallel', 'b', 5),
      call('alone', 'X'),
      call('parallel', 'c'),
      call('parallel', 'd'),
    ])
    expect(log).toEqual(['+a', '+b', '-b', '-a', '+X', '-X', '+c', '+d', '-c', '-d'])
  })

  it('pass the whole gate before any of them runs', async () => {
    const { log, tools } = loggingTools()
    const checked = tool({
      name: 'checked',
      description: 'Checked slowly.',
      check: async () => {
        await wait(30)
        log.push('checked')
      },
      execute: () => 'ran',
    })
    await new ToolExecutor({ tools: [...tools, checked] }).executeStep([
      call('parallel', 'a'),
      { name: 'checked', input: {} },
    ])
    expect(log[0]).toBe('checked')
  })

  it('start while another one waits for the person, unless they must not pass it', async () => {
    const { log, tools } = loggingTools()
    const executor = new ToolExecutor({
      tools,
      confirm: async ({ toolName }) => {
        await wait(60)
        log.push(`yes:${toolName}`)
        return true
      },
    })
    await executor.executeStep([
      call('asking', 'A'),
      call('parallel', 'b'),
      call('alone', 'X'),
      call('parallel', 'c'),
    ])
    expect(log).toEqual(['+b', '-b', 'yes:asking', '+A', '-A', '+X', '-X', '+c', '-c'])
  })

  it('are all asked about at once', async () => {
    const { tools } = loggingTools()
    let open = 0
    let most = 0
    const executor = new ToolExecutor({
      tools,
      confirm: async () => {
        open += 1
        most = Math.max(most, open)
        await wait(20)
        open -= 1
        return true
      },
    })
    await executor.executeStep([call('alone_asking', 'a'), call('asking', 'b'), call('alone_asking', 'c')])
    expect(most).toBe(3)
  })

  it('with equal concurrency keys run one after the other', async () => {
    const log: string[] = []
    const keyed = tool({
      name: 'keyed',
      description: 'One per file.',
      inputSchema: v.object({ file: v.string(), id: v.string() }),
      parallelSafe: true,
      concurrencyKey: ({ file }) => file,
      execute: async ({ id }) => {
        log.push(`+${id}`)
        await wait(15)
        log.push(`-${id}`)
      },
    })
    await new ToolExecutor({ tools: [keyed] }).executeStep([
      { name: 'keyed', input: { file: 'x', id: 'x1' } },
      { name: 'keyed', input: { file: 'x', id: 'x2' } },
      { name: 'keyed', input: { file: 'y', id: 'y1' } },
    ])
    expect(log.indexOf('-x1')).toBeLessThan(log.indexOf('+x2'))
    expect(log.indexOf('+y1')).toBeLessThan(log.indexOf('-x1'))
  })

  it('each get one result under their own id, whatever ids the provider sent', async () => {
    const { tools } = loggingTools()
    const results = await new ToolExecutor({ tools }).executeStep([
      { ...call('parallel', 'a'), providerId: 'same' },
      { ...call('parallel', 'b'), providerId: 'same' },
      { name: 'nothing', input: {}, providerId: '' },
    ])
    expect(new Set(results.map((result) => result.call.id)).size).toBe(3)
    expect(results.map((result) => result.call.providerId)).toEqual(['same', 'same', ''])
    expect(results.map((result) => result.outcome)).toEqual(['success', 'success', 'unknown'])
  })

  it('beyond maxCallsPerStep get a limit result, and the others run', async () => {
    const { log, tools } = loggingTools()
    const results = await new ToolExecutor({ tools, maxCallsPerStep: 2 }).executeStep(
      ['a', 'b', 'c'].map((id) => call('parallel', id)),
    )
    expect(results.map((result) => result.outcome)).toEqual(['success', 'success', 'limit'])
    expect(log).not.toContain('+c')
  })

  it('are cancelled together when the run is aborted: one result each, none left running', async () => {
    const { log, tools } = loggingTools()
    const abort = new AbortController()
    const slow = tool({
      name: 'slow',
      description: 'Stops when told.',
      parallelSafe: true,
      execute: (_input, { signal }) => {
        setTimeout(() => abort.abort(), 100)
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        )
      },
    })
    const results = await new ToolExecutor({ tools: [...tools, slow] }).executeStep(
      [call('parallel', 'a', 5), { name: 'slow', input: {} }, call('alone', 'X')],
      { signal: abort.signal },
    )
    expect(results.map((result) => result.outcome)).toEqual(['success', 'cancelled', 'cancelled'])
    expect(results[1]?.response.text).toContain('may have run')
    expect(results[2]?.response.text).toContain('before it ran')
    expect(log).not.toContain('+X')
  })
})

describe('a failing call', () => {
  const failing = tool({
    name: 'failing',
    description: 'Fails.',
    parallelSafe: true,
    execute: async () => {
      await wait(10)
      throw new Error('broken')
    },
  })

  it('does not stop the others', async () => {
    const { tools } = loggingTools()
    const results = await new ToolExecutor({ tools: [...tools, failing] }).executeStep([
      { name: 'failing', input: {} },
      call('parallel', 'a', 30),
    ])
    expect(results.map((result) => result.outcome)).toEqual(['error', 'success'])
  })

  it('aborts the others with failFast, and waits for them', async () => {
    const events: ExecutionEvent[] = []
    const patient = tool({
      name: 'patient',
      description: 'Waits.',
      parallelSafe: true,
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    })
    const executor = new ToolExecutor({
      tools: [failing, patient],
      failFast: true,
      onEvent: (event) => events.push(event),
    })
    const results = await executor.executeStep([
      { name: 'failing', input: {} },
      { name: 'patient', input: {} },
    ])
    expect(results.map((result) => result.outcome)).toEqual(['error', 'cancelled'])
    expect(results[1]?.response.text).toContain('Another call of this step failed')
    expect(events.filter((event) => event.type === 'result')).toHaveLength(2)
  })
})
