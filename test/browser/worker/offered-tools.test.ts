import { ToolExecutor, ToolRegistrationError, WorkerToolset, type WorkerToolsetOptions } from 'offstage'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { kitWorker, openKit, startSpare, watchHere } from './kit.ts'

const guardMs = 10_000
const valuesWorker = () => new Worker(new URL('./values.worker.ts', import.meta.url), { type: 'module' })

/** A toolset whose worker file is another one after `edit()`. */
function edited() {
  let factory = kitWorker
  const toolset = new WorkerToolset(() => factory(), { size: 1 })
  onTestFinished(() => toolset.close())
  return {
    toolset,
    edit: (next = valuesWorker) => {
      factory = next
    },
    /** Opens workers anew, and says what they offer. */
    reopen: async () => {
      await toolset.close()
      await toolset.start()
      return (await toolset.list()).map(({ definition }) => definition.name)
    },
  }
}

describe('what a WorkerToolset offers', () => {
  it('is what its lanes serve: a spare with another file counts once it has taken over', async () => {
    const { toolset, edit } = edited()
    const listener = vi.fn()
    await toolset.start()
    toolset.subscribe(listener)
    edit()
    await startSpare(toolset)
    const executor = new ToolExecutor({ tools: toolset, timeoutMs: 500 })
    const add = { name: 'add', input: { a: 1, b: 2 } }
    const give = { name: 'give', input: { what: 'plain' } }
    expect(await executor.execute(add)).toMatchObject({ outcome: 'success' })
    expect(await executor.execute(give)).toMatchObject({ outcome: 'unknown' })
    expect(listener).not.toHaveBeenCalled()
    expect(await executor.execute({ name: 'spin', input: {} })).toMatchObject({ outcome: 'timeout' })
    await vi.waitFor(() => expect(listener).toHaveBeenCalledOnce(), guardMs)
    expect(await executor.execute(add)).toMatchObject({ outcome: 'unknown' })
    expect(await executor.execute(give)).toMatchObject({ outcome: 'success' })
  })

  it('leaves no worker behind when who is told closes it', async () => {
    const workers = watchHere()
    const kit = openKit({ size: 1 })
    kit.subscribe(() => void kit.close())
    await expect(kit.start()).rejects.toMatchObject({ code: 'closed' })
    expect(workers.live).toBe(0)
  })

  it('is told to who subscribed, when a newly opened worker offers other tools', async () => {
    const { toolset, edit, reopen } = edited()
    const listener = vi.fn()
    await toolset.start()
    const stop = toolset.subscribe(listener)
    await reopen()
    expect(listener).not.toHaveBeenCalled()
    edit()
    expect(await reopen()).toEqual(['give', 'fail', 'report', 'seen_deps', 'image', 'left', 'wordy'])
    expect(listener).toHaveBeenCalledOnce()
    stop()
    edit(kitWorker)
    expect(await reopen()).toContain('add')
    expect(listener).toHaveBeenCalledOnce()
  })

  it('is told when the worker that takes over offers other tools', async () => {
    const { toolset, edit } = edited()
    const executor = new ToolExecutor({ tools: toolset, timeoutMs: 400 })
    await toolset.start()
    const listener = vi.fn()
    toolset.subscribe(listener)
    edit()
    expect(await executor.execute({ name: 'deaf', input: {} })).toMatchObject({ outcome: 'timeout' })
    await vi.waitFor(() => expect(listener).toHaveBeenCalledOnce(), guardMs)
    const result = await executor.execute({ name: 'give', input: { what: 'plain' } })
    expect(result).toMatchObject({ outcome: 'success' })
    expect(await executor.execute({ name: 'add', input: { a: 1, b: 2 } })).toMatchObject({
      outcome: 'unknown',
    })
  })

  it('serves on when a listener throws; its error is reported as one of the page', async () => {
    const reported = vi.fn((event: ErrorEvent) => event.preventDefault())
    addEventListener('error', reported)
    // Vitest prints what reaches the page.
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => {
      removeEventListener('error', reported)
      print.mockRestore()
    })
    const { toolset } = edited()
    const broken = new Error('the listener of the app is broken')
    const second = vi.fn()
    toolset.subscribe(() => {
      throw broken
    })
    toolset.subscribe(second)
    expect(await toolset.call('add', { a: 1, b: 2 })).toMatchObject({ response: { text: '3' } })
    expect(second).toHaveBeenCalledOnce()
    await vi.waitFor(() => expect(reported).toHaveBeenCalledOnce(), guardMs)
    expect(reported.mock.calls[0]?.[0].error).toBe(broken)
  })

  it('has the origin that the builtins option says', async () => {
    const listed = await openKit({ size: 1, builtins: ['add', 'wait'] }).list()
    const builtin = listed.filter(({ origin }) => origin === 'builtin')
    expect(builtin.map(({ definition }) => definition.name)).toEqual(['add', 'wait'])
    expect(listed.find(({ definition }) => definition.name === 'spin')?.origin).toBe('app')
  })

  it('does not include a name that the worker file lacks: a call of it ends, and says so', async () => {
    const toolset = new WorkerToolset(kitWorker, { size: 1 })
    onTestFinished(() => toolset.close())
    const failed = { kind: 'failed', message: 'The tool "subtract" is not served by the worker.' }
    expect(await toolset.preflight('subtract', {})).toEqual(failed)
    expect(await toolset.call('subtract', {})).toEqual(failed)
  })

  it('comes from our own messages alone: what else the worker file sends is left alone', async () => {
    const toolset = new WorkerToolset(
      () => new Worker(new URL('./foreign-message.worker.ts', import.meta.url), { type: 'module' }),
      { size: 1 },
    )
    onTestFinished(() => toolset.close())
    expect(await toolset.call('add', { a: 1, b: 2 })).toMatchObject({ response: { text: '3' } })
  })
})

describe('a WorkerToolset that is closed', () => {
  it('in the moment in which it opened refuses who waited for that', async () => {
    const toolset = openKit({ size: 1 })
    const closed = toolset.start().then(() => toolset.close())
    await expect(toolset.list()).rejects.toMatchObject({ name: 'ToolWorkerError', code: 'closed' })
    await closed
  })

  it('by the factory itself does not wait for that worker', async () => {
    const workers = watchHere()
    const toolset: WorkerToolset = new WorkerToolset(
      () => {
        void toolset.close()
        return new Worker(new URL('./silent.worker.ts', import.meta.url), { type: 'module' })
      },
      { size: 1, readyTimeoutMs: 600_000 },
    )
    await expect(toolset.start()).rejects.toMatchObject({ code: 'closed' })
    expect(workers.live).toBe(0)
  })
})

describe('an option of a WorkerToolset', () => {
  it.each<[string, WorkerToolsetOptions, RegExp]>([
    ['a grace that is too long', { graceMs: 1_001 }, /graceMs is 1001; give at most 1000/],
    ['a size of nothing', { size: 0 }, /size is 0; give a whole number from 1 to 64/],
    ['a size between', { size: 1.5 }, /size is 1.5/],
  ])('is refused at once: %s', (_what, options, message) => {
    expect(() => new WorkerToolset(kitWorker, options)).toThrow(ToolRegistrationError)
    expect(() => new WorkerToolset(kitWorker, options)).toThrow(message)
  })
})
