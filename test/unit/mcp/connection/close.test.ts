import { expect, onTestFinished, test, vi } from 'vitest'
import { labConnection, once } from '../../../support/mcp/connect-to.ts'
import { textTool } from '../../../support/mcp/lab-tools.ts'

/** The timers of this thread that are set from now on and have neither run nor been cleared. */
function watchTimers(): Set<unknown> {
  const pending = new Set<unknown>()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  vi.stubGlobal('setTimeout', (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
    const timer = set(() => {
      pending.delete(timer)
      run(...given)
    }, ms)
    pending.add(timer)
    return timer
  })
  vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout) => {
    pending.delete(timer)
    clear(timer)
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return pending
}

test('closing ends calls, waits and timers, whatever each is doing', async () => {
  const timers = watchTimers()
  const { lab, connection } = await labConnection({
    eventStore: true,
    getStatus: 503,
    tools: [
      { ...textTool('silent'), call: () => new Promise(() => {}) },
      {
        ...textTool('leaves'),
        call: (_input, { hangUp }) => {
          hangUp(60_000)
          return new Promise(() => {})
        },
      },
    ],
  })
  const names = ['silent', 'silent', 'leaves', 'leaves', 'silent', 'silent', 'silent', 'silent']
  const calls = names.map((name) => connection.callTool(name, {}, once))
  const ends = Promise.allSettled(calls)
  await vi.waitFor(() => expect(lab.of('tools/call').length).toBe(names.length - 1))
  await connection.close()
  for (const end of await ends) expect(end).toMatchObject({ reason: { name: 'McpError', code: 'closed' } })
  await vi.waitFor(() => expect(timers.size).toBe(0))
  await vi.waitFor(() => expect(lab.openAnswers).toBe(0))
})

test.each([405, 400, 500])(
  'a server that refuses to end the session with %i is closed all the same',
  async (deleteStatus) => {
    const { lab, connection } = await labConnection({ deleteStatus })
    await expect(connection.close()).resolves.toBeUndefined()
    expect(lab.of('DELETE')).toHaveLength(1)
    await vi.waitFor(() => expect(lab.openAnswers).toBe(0))
  },
)

test('a server that is gone is closed all the same', async () => {
  const { lab, connection } = await labConnection()
  await lab.close()
  await expect(connection.close()).resolves.toBeUndefined()
})
