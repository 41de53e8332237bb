import { type ApprovalRequest, ToolExecutor, type ToolMiddleware, ToolRegistry, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { Grants } from '../../../src/execution/grants.ts'
import { memoryStore } from '../../../src/storage/memory-store.ts'
import { external } from '../../../src/toolset/external.ts'

function payTool(options: object = {}) {
  const execute = vi.fn(() => 'paid')
  const pay = tool({
    name: 'pay',
    description: 'Pay somebody.',
    inputSchema: v.object({ amount: v.pipe(v.number(), v.maxValue(100)) }),
    needsApproval: true,
    execute,
    ...options,
  })
  return { pay, execute }
}
const request = { name: 'pay', input: { amount: 1 } }

describe('a question that is left open', () => {
  it('P13 is there for whoever calls the executor directly: nothing ran, and it is plain JSON', async () => {
    const { pay, execute } = payTool()
    const onEvent = vi.fn()
    const executor = new ToolExecutor({ tools: [pay], confirm: 'pause', onEvent })
    const { outcome, pending, response } = await executor.execute(request)
    expect([outcome, response.status]).toEqual(['deferred', 'partial'])
    expect(JSON.parse(JSON.stringify(pending))).toEqual(pending)
    expect(pending).toMatchObject({ kind: 'approval', toolName: 'pay', origin: 'app', input: { amount: 1 } })
    expect(onEvent.mock.calls.map(([{ type }]) => type)).toEqual(['call'])
    expect(execute).not.toHaveBeenCalled()
  })

  it('is frozen: nobody can make another question of it', async () => {
    const { pay } = payTool()
    const { pending } = await new ToolExecutor({ tools: [pay], confirm: 'pause' }).execute(request)
    expect(() => Object.assign(Object(pending?.input), { amount: 99 })).toThrow(TypeError)
  })

  it('S4 is not asked about an input that is not valid', async () => {
    const { pay } = payTool()
    const executor = new ToolExecutor({ tools: [pay], confirm: 'pause' })
    const result = await executor.execute({ name: 'pay', input: { amount: 1000 } })
    expect([result.outcome, result.pending]).toEqual(['invalid', undefined])
  })

  it('P7 has a digest of its own for each call, tool and input', async () => {
    const { pay } = payTool()
    const other = payTool({ version: '2' })
    const ask = async (tools: readonly (typeof pay)[], input: object) =>
      (await new ToolExecutor({ tools, confirm: 'pause' }).execute({ name: 'pay', input })).pending?.digest
    const digests = [
      await ask([pay], { amount: 1 }),
      await ask([pay], { amount: 1 }),
      await ask([pay], { amount: 2 }),
      await ask([other.pay], { amount: 1 }),
    ]
    expect(new Set(digests).size).toBe(4)
  })

  it('is answered by a grant instead, when there is one', async () => {
    const { pay, execute } = payTool()
    const grants = new Grants({ store: memoryStore() })
    const confirm = () => ({ approved: true, remember: 'always' as const })
    await new ToolExecutor({ tools: [pay], grants, confirm }).execute(request)
    const paused = new ToolExecutor({ tools: [pay], grants, confirm: 'pause' })
    expect(await paused.execute(request)).toMatchObject({
      outcome: 'success',
      approval: { approved: true, remembered: 'always' },
    })
    // The grant is for this very input.
    expect((await paused.execute({ name: 'pay', input: { amount: 2 } })).outcome).toBe('deferred')
    expect(execute).toHaveBeenCalledTimes(2)
  })

  it('no after() sees a call that is not over', async () => {
    const { pay } = payTool()
    const after = vi.fn()
    await new ToolExecutor({ tools: [pay], confirm: 'pause', middleware: [{ after }] }).execute(request)
    expect(after).not.toHaveBeenCalled()
  })

  it('a call that is answered elsewhere can need a yes first', async () => {
    const tools = external([{ name: 'ask', description: 'Ask somebody.', needsApproval: true }])
    const paused = await new ToolExecutor({ tools, confirm: 'pause' }).execute({ name: 'ask', input: {} })
    expect(paused.pending?.kind).toBe('approval')
    const approved = await new ToolExecutor({ tools, confirm: () => true }).execute({
      name: 'ask',
      input: {},
    })
    expect(approved.pending?.kind).toBe('external')
  })

  it('middleware that says a call waits, and has no question, blocks it', async () => {
    const { pay, execute } = payTool({ needsApproval: false })
    const response = { text: 'later', status: 'partial' } as const
    const middleware: ToolMiddleware[] = [{ wrap: async () => ({ outcome: 'deferred', response }) }]
    const executor = new ToolExecutor({ tools: [pay], middleware, confirm: 'pause' })
    const result = await executor.execute(request)
    expect(result).toMatchObject({ outcome: 'denied', error: { code: 'middleware' } })
    expect(execute).not.toHaveBeenCalled()
  })
})

describe('a question to a handler', () => {
  it('P16 two of one tool at once are told apart by the id of the call', async () => {
    const { pay, execute } = payTool({ parallelSafe: true })
    const open = new Map<number, (yes: boolean) => void>()
    const confirm = ({ input }: ApprovalRequest) =>
      new Promise<boolean>((resolve) => open.set(Number(input.amount), resolve))
    const executor = new ToolExecutor({ tools: [pay], confirm })
    const running = executor.executeStep([request, { name: 'pay', input: { amount: 2 } }])
    await vi.waitFor(() => expect(open.size).toBe(2))
    open.get(2)?.(true)
    open.get(1)?.(false)
    expect((await running).map(({ outcome }) => outcome)).toEqual(['denied', 'success'])
    expect(execute).toHaveBeenCalledOnce()
  })

  it('F15 P15 an abort while it is open ends the call, and a yes after that runs nothing', async () => {
    const { pay, execute } = payTool()
    const page = new AbortController()
    let yes = (_answer: boolean) => {}
    let asked: AbortSignal | undefined
    const confirm = ({ signal }: ApprovalRequest) => {
      asked = signal
      page.abort()
      return new Promise<boolean>((resolve) => {
        yes = resolve
      })
    }
    const executor = new ToolExecutor({ tools: [pay], confirm })
    const result = await executor.execute(request, { signal: page.signal })
    yes(true)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(result.outcome).toBe('cancelled')
    expect(result.response.text).not.toBe('')
    expect(asked?.aborted).toBe(true)
    expect(execute).not.toHaveBeenCalled()
  })

  it.each([
    ['with the same definition', {}],
    ['with another one', { version: '2' }],
  ])('F16 a grant is not for the tool that takes its place %s', async (_how, change) => {
    const first = payTool()
    const second = payTool(change)
    const registry = new ToolRegistry()
    registry.register(first.pay)
    const grants = new Grants({ store: memoryStore() })
    const asked = vi.fn(() => ({ approved: true, remember: { duration: 'always', scope: 'tool' } as const }))
    const executor = new ToolExecutor({ tools: registry.toolset(), grants, confirm: asked })
    await executor.execute(request)
    await executor.execute(request)
    expect(asked).toHaveBeenCalledTimes(1)
    registry.register(second.pay, { overwrite: true })
    await executor.execute(request)
    expect(asked).toHaveBeenCalledTimes(2)
    await executor.execute(request)
    expect(asked).toHaveBeenCalledTimes(2)
    expect([first.execute.mock.calls.length, second.execute.mock.calls.length]).toEqual([2, 2])
  })
})
