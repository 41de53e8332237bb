import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import { ToolExecutor } from '../../../src/execution/tool-executor.ts'
import { tool } from '../../../src/tool/tool.ts'
import type { ToolResult } from '../../../src/tool/tool-result.ts'
import { frames, hosts, OpenDialog, readyDialog, removeDialogs, sleep } from './open-dialog.ts'
import { click } from './real-input.ts'

const execute = vi.fn(() => 'sent')
const call = { name: 'send_email', input: { to: 'alice@example.com' } }

const sendEmail = tool({
  name: 'send_email',
  description: 'Send an e-mail.',
  inputSchema: v.object({ to: v.string() }),
  needsApproval: true,
  execute,
})

beforeEach(() => {
  execute.mockClear()
})

afterEach(() => {
  vi.useRealTimers()
  removeDialogs()
  document.body.replaceChildren()
})

function executorFor(options?: Parameters<typeof confirmDialog>[0]): ToolExecutor {
  return new ToolExecutor({ tools: [sendEmail], confirm: confirmDialog(options) })
}

async function dialogOpens(): Promise<void> {
  await vi.waitFor(() => expect(hosts()).toHaveLength(1), { timeout: 5_000 })
}

// The dialog comes back as it was, on top, and a real pointer clicks its Approve.
async function approveLate({ host, dialog, approve }: OpenDialog): Promise<void> {
  document.body.append(host)
  dialog.close()
  dialog.showModal()
  await sleep(400)
  await click(approve)
  host.remove()
}

function expectNotRun(result: ToolResult): void {
  expect(result.response.status).toBe('error')
  expect(result.response.text).not.toBe('')
  expect(result.executedInput).toBeUndefined()
  expect(execute).not.toHaveBeenCalled()
}

test('the approved call runs, so that the cases below mean something', async () => {
  const result = executorFor().execute(call)
  await dialogOpens()
  await click((await readyDialog()).approve)
  expect(await result).toMatchObject({ outcome: 'success', response: { text: 'sent' } })
})

test('F05 a denied call does not run when an approval comes late', async () => {
  const running = executorFor().execute(call)
  await dialogOpens()
  const open = await readyDialog()
  await click(open.deny)
  const result = await running
  await approveLate(open)
  expectNotRun(result)
  expect(result).toMatchObject({ outcome: 'denied', error: { code: 'denied' } })
})

describe('F15 while the dialog is open', () => {
  test('an aborted run settles the call as not executed', async () => {
    const run = new AbortController()
    const running = executorFor().execute(call, { signal: run.signal })
    await dialogOpens()
    const open = await readyDialog()
    run.abort()
    const result = await running
    expect(hosts()).toHaveLength(0)
    await approveLate(open)
    expectNotRun(result)
    expect(result).toMatchObject({
      outcome: 'cancelled',
      response: { text: 'send_email was cancelled before it ran.' },
    })
  })

  test('an unmounted component settles the call as not executed', async () => {
    const component = document.body.appendChild(document.createElement('div'))
    const running = executorFor({ container: component }).execute(call)
    await dialogOpens()
    const open = await readyDialog()
    component.remove()
    const result = await running
    await approveLate(open)
    expectNotRun(result)
    expect(result.outcome).toBe('denied')
    expect(result.response.text).toContain('was not executed')
  })

  test('a 30 s timeout settles the call as not executed, and a click on approve after it is refused', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const running = executorFor({ timeoutMs: 30_000 }).execute(call)
    await vi.advanceTimersByTimeAsync(0)
    const open = new OpenDialog()
    await frames(2)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(hosts()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    const result = await running
    expect(hosts()).toHaveLength(0)
    vi.useRealTimers()
    await approveLate(open)
    expectNotRun(result)
    expect(result.outcome).toBe('denied')
    expect(result.response.text).toBe(
      'send_email was not executed: the question to the user ended without an answer (nobody answered within 30 s).',
    )
  })
})
