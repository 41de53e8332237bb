import { Agent, ToolExecutor, WorkerToolset, type WorkerToolsetOptions } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it, vi } from 'vitest'

describe('WorkerToolset on a server', () => {
  const factory = vi.fn(() => ({}) as Worker)

  it('is made without touching anything', () => {
    expect(() => new WorkerToolset(factory)).not.toThrow()
    expect(factory).not.toHaveBeenCalled()
  })

  it('rejects with a ToolWorkerError that says what to do there', async () => {
    const workerTools = new WorkerToolset(factory)
    for (const use of [() => workerTools.start(), () => workerTools.list()]) {
      await expect(use()).rejects.toMatchObject({
        name: 'ToolWorkerError',
        code: 'no-worker',
        message: expect.stringMatching(/server.*browser/s),
      })
    }
    expect(factory).not.toHaveBeenCalled()
  })

  it('makes an executor and an agent that use it fail with that reason, and hang neither', async () => {
    const workerTools = new WorkerToolset(factory)
    const executor = new ToolExecutor({ tools: [workerTools] })
    await expect(executor.execute({ name: 'x', input: {} })).rejects.toMatchObject({ code: 'no-worker' })
    const agent = new Agent({ model: new ScriptedModel(['never']), tools: [workerTools] })
    await expect(agent.run('go')).rejects.toMatchObject({
      message: expect.stringContaining('server'),
      cause: { code: 'no-worker' },
    })
  })
})

describe('the options of a WorkerToolset', () => {
  it('name what is wrong, and show how it is written', () => {
    const make = (factory: unknown, options?: object) => () =>
      new WorkerToolset(factory as () => Worker, options as WorkerToolsetOptions)
    expect(make('./tools.worker.ts')).toThrow("new URL('./tools.worker.ts', import.meta.url)")
    expect(make(() => {}, { sizes: 2 })).toThrow('Did you mean "size"?')
    expect(make(() => {}, { size: 0 })).toThrow('size is 0')
    expect(make(() => {}, { readyTimeoutMs: -1 })).toThrow('readyTimeoutMs is -1')
    expect(make(() => {}, { deps: { locale: 'en' } })).toThrow('deps: (deps) =>')
  })
})
