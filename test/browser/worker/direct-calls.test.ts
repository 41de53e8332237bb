import { WorkerToolset } from 'offstage'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { tools as checks } from './checks.worker.ts'
import { kitWorker, listenHere, openKit, watchHere } from './kit.ts'

const guardMs = 10_000

function openChecks() {
  const toolset = new WorkerToolset<typeof checks>(
    () => new Worker(new URL('./checks.worker.ts', import.meta.url), { type: 'module' }),
    { size: 1 },
  )
  onTestFinished(() => toolset.close())
  return toolset
}

describe('a check without the gate', () => {
  it('is answered on the page when its input is no JSON', async () => {
    const { sent } = watchHere()
    const kit = new WorkerToolset(kitWorker, { size: 1 })
    onTestFinished(() => kit.close())
    const answer = await kit.preflight('add', { a: 1, b: () => 2 })
    expect(answer).toMatchObject({ kind: 'invalid', issues: [{ path: 'b' }] })
    expect(sent).toEqual([])
  })

  it('hears of a cancellation with any reason as an AbortError', async () => {
    const { heard } = listenHere()
    const toolset = openChecks()
    await toolset.start()
    const controller = new AbortController()
    const asked = toolset.preflight('check_is_silent', { id: 'any-reason' }, { signal: controller.signal })
    // Its signal has a listener once the message is on its way; messages keep their order.
    await toolset.preflight('checked', { so: 'pass' })
    controller.abort('I changed my mind')
    await vi.waitFor(() => expect(heard).toContain('any-reason was told: AbortError'), guardMs)
    expect((await asked).kind).not.toBe('ready')
  })

  it('ends as a crash that says so when its toolset is closed meanwhile', async () => {
    const toolset = openChecks()
    await toolset.start()
    const asked = toolset.preflight('check_is_silent', { id: 'closed' })
    await toolset.preflight('checked', { so: 'pass' })
    await toolset.close()
    expect(await asked).toMatchObject({
      kind: 'crash',
      error: { code: 'closed', message: 'its WorkerToolset was closed', retryable: false },
    })
  })

  it('sends nothing when its signal has aborted before', async () => {
    const kit = openKit({ size: 1 })
    await kit.start()
    const { sent } = watchHere()
    const signal = AbortSignal.abort()
    expect(await kit.preflight('add', { a: 1, b: 2 }, { signal })).toEqual({
      kind: 'crash',
      error: { name: 'AbortError', message: 'the call was cancelled' },
    })
    expect(await kit.call('add', { a: 1, b: 2 }, { signal })).toEqual({ kind: 'stopped', mayHaveRun: false })
    expect(sent).toEqual([])
  })
})

describe('a call without the gate', () => {
  it('tells its tool of a cancellation with any reason as an AbortError', async () => {
    const { heard } = listenHere()
    const kit = openKit({ size: 1 })
    const controller = new AbortController()
    const asked = kit.call('listen_to_signal', { ms: 0, id: 'told' }, { signal: controller.signal })
    await vi.waitFor(() => expect(heard).toContain('told ran'), guardMs)
    controller.abort(new RangeError('not our reason'))
    expect(await asked).toMatchObject({ kind: 'stopped', mayHaveRun: true })
    await vi.waitFor(
      () => expect(heard).toContain('told stopped: AbortError: the call was cancelled'),
      guardMs,
    )
  })

  it('does not run when it is withdrawn before its turn on the serial lane, and the next one does', async () => {
    const kit = openKit({ size: 1 })
    const controller = new AbortController()
    const slow = kit.call('alone', { ms: 700 })
    const withdrawn = kit.call('count', { by: 100 }, { signal: controller.signal })
    const next = kit.call('count', { by: 1 })
    await kit.list()
    controller.abort()
    // It waits for nothing any more.
    expect(await Promise.race([withdrawn, slow])).toEqual({ kind: 'stopped', mayHaveRun: false })
    expect(await slow).toMatchObject({ kind: 'response' })
    expect(await next).toMatchObject({ response: { text: '1' } })
  })

  it('is stopped, and may have run, when its toolset is closed in the moment in which it is cancelled', async () => {
    const { heard } = listenHere()
    const kit = openKit({ size: 1 })
    const controller = new AbortController()
    const asked = kit.call('deaf', { id: 'both-at-once' }, { signal: controller.signal })
    await vi.waitFor(() => expect(heard).toContain('both-at-once ran'), guardMs)
    // Its start was posted before it ran; this answer comes after it.
    await kit.preflight('add', { a: 1, b: 2 })
    void kit.close()
    controller.abort()
    expect(await asked).toEqual({ kind: 'stopped', mayHaveRun: true })
  })

  it('without deps says so when the deps option throws, and with deps does not', async () => {
    const deps = ({ user }: { readonly user: { readonly name: string } }) => user.name
    const kit = openKit({ size: 1, deps })
    const hint =
      /^the deps option of the WorkerToolset threw: .*This call has no deps: pass some to the agent/
    expect(await kit.call('add', { a: 1, b: 2 })).toMatchObject({
      kind: 'crash',
      error: { name: 'TypeError', message: expect.stringMatching(hint) },
    })
    const outcome = await kit.call('add', { a: 1, b: 2 }, { deps: {} })
    expect(outcome).toMatchObject({ kind: 'crash', error: { name: 'TypeError' } })
    expect(JSON.stringify(outcome)).not.toMatch(/has no deps/)
  })
})
