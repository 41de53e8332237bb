import { type ExecutionEvent, ToolExecutor, type ToolMiddleware, WorkerToolset } from 'offstage'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { tools } from './checks.worker.ts'
import { listenHere, openKit, startSpare, watchHere } from './kit.ts'

const checksWorker = () => new Worker(new URL('./checks.worker.ts', import.meta.url), { type: 'module' })
const shared = new WorkerToolset<typeof tools>(checksWorker, { size: 2 })
afterAll(() => shared.close())

/** Middleware that changes nothing, but must see checked calls only. */
const transparent: ToolMiddleware = { wrap: (_call, _context, next) => next() }

/** How a call ends and what is told of it, without what differs from call to call. */
async function ending(middleware: readonly ToolMiddleware[], name: string, input: unknown) {
  const events: ExecutionEvent['type'][] = []
  const confirm = vi.fn(() => true)
  const onEvent = ({ type }: ExecutionEvent) => events.push(type)
  const executor = new ToolExecutor({ tools: [shared], middleware, confirm, onEvent })
  const result = await executor.execute({ name, input })
  const { call, error, startedAt: _at, durationMs: _for, ...rest } = result
  const { id: _id, ...asked } = call
  const asks = confirm.mock.calls.map((args: unknown[]) => (args[0] as { input: unknown }).input)
  const { code, message, issues } = error ?? {}
  return { ...rest, asked, error: { code, message, issues }, events, asks }
}

describe('a call whose check is left to its worker', () => {
  it('is one message, when it is alone in its step and nobody must be asked', async () => {
    const { sent } = watchHere()
    const executor = new ToolExecutor({ tools: [openKit({ size: 1 })] })
    await executor.list()
    await executor.execute({ name: 'add', input: { a: 1, b: 2 } })
    expect(sent).toHaveLength(1)
    await executor.executeStep([1, 2].map((b) => ({ name: 'add', input: { a: 1, b } })))
    expect(sent).toHaveLength(5)
  })

  it.each([
    ['a valid input', 'checked', { so: 'pass' }],
    ['an unknown key', 'checked', { so: 'pass', note: 'hello' }],
    ['an invalid input', 'checked', { so: 'nothing', note: 'hello' }],
    ['a missing key', 'checked', {}],
    ['a check that asks', 'checked', { so: 'ask' }],
    ['a check that wants a retry', 'checked', { so: 'retry' }],
    ['a check that fails', 'checked', { so: 'fail' }],
    ['a check that throws', 'checked', { so: 'throw' }],
    ['a state that the check knows', 'keep', { by: 11 }],
    ['a rule that asks', 'payment', { amount: 101 }],
    ['a default', 'payment', { amount: 5 }],
  ])('ends as one that is checked first, with %s', async (_what, name, input) => {
    const apart = await ending([transparent], name, input)
    expect(await ending([], name, input)).toEqual(apart)
  })

  it('is checked all the same when it comes without the gate', async () => {
    expect(await shared.call('checked', { so: 'retry' })).toEqual({
      kind: 'not-ready',
      answer: { kind: 'retry', message: 'take another one' },
    })
    const unasked = await shared.call('payment', { amount: 500 })
    expect(unasked).toMatchObject({ kind: 'not-ready', answer: { kind: 'ready', needsApproval: true } })
    const approval = { approved: true } as const
    expect(await shared.call('payment', { amount: 500 }, { approval })).toMatchObject({ kind: 'response' })
  })

  it('does not wait behind a call that runs: an idle worker looks at it', async () => {
    const { heard } = listenHere()
    const kit = openKit({ size: 1 })
    await startSpare(kit)
    const executor = new ToolExecutor({ tools: [kit] })
    const long = executor.execute({ name: 'burn', input: { ms: 3_000, id: 'busy-lane' } })
    await vi.waitFor(() => expect(heard).toContain('busy-lane ran'), 10_000)
    const invalid = executor.execute({ name: 'add', input: { a: 'one' } })
    expect(await Promise.race([invalid, long])).toMatchObject({ outcome: 'invalid' })
    expect(await long).toMatchObject({ outcome: 'success' })
  })
})
