import { type JsonObject, ToolExecutor, ToolRegistry, type ToolSource, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: v.object({ amount: v.number() }),
  execute: ({ amount }) => `paid ${amount}`,
})

/** A source that leaves checks out where it may, below a wrapper that wants a person asked about every call. */
async function leavingSource(): Promise<ToolSource> {
  const registry = new ToolRegistry()
  registry.register(pay)
  const inner = registry.toolset()
  const [listed] = await inner.list()
  if (listed === undefined) throw new Error('the registry lists its tool')
  const definition = { ...listed.definition, needsApproval: true }
  const ready = {
    kind: 'ready',
    droppedKeys: [],
    needsApproval: false,
    reasons: [],
    unchecked: true,
  } as const
  const labels = { effect: 'local', egress: false, reads: 'public', externalContent: false } as const
  return {
    ...inner,
    list: async () => [{ ...listed, definition }],
    preflight: async (name, input, options) =>
      options?.mayLeaveCheck
        ? { ...ready, labels, input: input as JsonObject }
        : inner.preflight(name, input),
  }
}

describe('a check that a source would leave to the call', () => {
  it('is made before a person is asked: nobody sees an input that is then refused', async () => {
    const source = await leavingSource()
    const confirm = vi.fn(() => true)
    const executor = new ToolExecutor({ tools: source, confirm })
    const refused = await executor.execute({ name: 'pay', input: { amount: 'all of it' } })
    expect(refused).toMatchObject({ outcome: 'invalid', error: { issues: [{ path: 'amount' }] } })
    expect(confirm).not.toHaveBeenCalled()
    const paid = await executor.execute({ name: 'pay', input: { amount: 5 } })
    expect(paid).toMatchObject({ outcome: 'success', approvedInput: { amount: 5 } })
    expect(confirm).toHaveBeenCalledOnce()
  })
})

describe('the check of the only call of a step', () => {
  it('is made once, right beside the tool, when only the schema can refuse', async () => {
    const check = vi.fn(() => true)
    const counted = tool({
      name: 'counted',
      description: 'Counts its checks.',
      inputSchema: v.object({ amount: v.pipe(v.number(), v.check(check)) }),
      execute: ({ amount }) => `got ${amount}`,
    })
    const told: string[] = []
    const onEvent = ({ type }: { readonly type: string }) => told.push(type)
    const executor = new ToolExecutor({ tools: [counted], onEvent })
    const done = await executor.execute({ name: 'counted', input: { amount: 1 } })
    expect([done.response.text, check.mock.calls.length]).toEqual(['got 1', 1])
    expect(told).toEqual(['call', 'call-started', 'result'])
  })

  it('tells nobody of a call that it refuses, except of its end', async () => {
    const told: string[] = []
    const onEvent = ({ type }: { readonly type: string }) => told.push(type)
    const executor = new ToolExecutor({ tools: [pay], onEvent })
    const refused = await executor.execute({ name: 'pay', input: { amount: 'all of it' } })
    expect(refused).toMatchObject({ outcome: 'invalid', error: { issues: [{ path: 'amount' }] } })
    expect([refused.startedAt, told]).toEqual([undefined, ['result']])
  })

  it('that takes time ends with its run', async () => {
    const never = v.objectAsync({
      amount: v.pipeAsync(
        v.number(),
        v.checkAsync(() => new Promise(() => {})),
      ),
    })
    const slow = tool({
      name: 'slow',
      description: 'Never checked.',
      inputSchema: never,
      execute: () => 'ran',
    })
    const stop = new AbortController()
    const executor = new ToolExecutor({ tools: [slow] })
    const running = executor.execute({ name: 'slow', input: { amount: 1 } }, { signal: stop.signal })
    stop.abort()
    expect(await running).toMatchObject({ outcome: 'cancelled' })
  })
})
