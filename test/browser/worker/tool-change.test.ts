import { type ApprovalRequest, ToolExecutor, WorkerToolset } from 'offstage'
import { expect, it, onTestFinished, vi } from 'vitest'

it.each(['asks_in_check', 'asks_in_execute'])(
  'what has changed of a tool comes out of its worker with the question: %s',
  async (name) => {
    const changed = () => new Worker(new URL('./changed.worker.ts', import.meta.url), { type: 'module' })
    const tools = new WorkerToolset(changed, { size: 1 })
    onTestFinished(() => tools.close())
    const confirm = vi.fn((_request: ApprovalRequest) => true)
    const { response } = await new ToolExecutor({ tools, confirm }).execute({ name, input: {} })
    const change = { fields: [{ name: 'description', before: 'Send it.', after: 'Send it all.' }] }
    expect(confirm.mock.calls).toMatchObject([[{ reasons: ['It has changed.'], change }]])
    expect(response.text).toBe('sent')
  },
)
