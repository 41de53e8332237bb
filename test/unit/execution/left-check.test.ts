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
