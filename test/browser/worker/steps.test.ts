import { Agent, ToolExecutor, WorkerToolset } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it, onTestFinished } from 'vitest'

const { toolCall } = ScriptedModel

function open(file: 'steps' | 'wrapped', options: object = {}): WorkerToolset {
  const worker = (): Worker =>
    file === 'steps'
      ? new Worker(new URL('./steps.worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL('./wrapped.worker.ts', import.meta.url), { type: 'module' })
  const toolset = new WorkerToolset(worker, { size: 1, ...options })
  onTestFinished(() => toolset.close())
  return toolset
}

const pickGuest = (deps: { readonly guest?: boolean } | undefined) => ({ guest: deps?.guest ?? false })

describe('the tools of a worker in a step', () => {
  it('are as their own prepare functions make them, with step, deps and capabilities', async () => {
    const model = new ScriptedModel([toolCall('archive'), 'done'])
    const agent = new Agent({
      model: Object.assign(model, { capabilities: ['images'] }),
      tools: [open('steps', { deps: pickGuest })],
      deps: {},
    })
    const { steps } = await agent.run('go')
    const described = model.requests.map(
      ({ tools }) => tools.find(({ name }) => name === 'archive')?.description,
    )
    expect(described).toEqual(['Step 1, images.', 'Step 2, images.'])
    expect(steps[0]?.results[0]).toMatchObject({ outcome: 'success', response: { text: 'archived' } })
  })

  it('do not exist for the model when they hide themselves', async () => {
    const model = new ScriptedModel([toolCall('archive'), 'done'])
    const agent = new Agent({ model, tools: [open('steps', { deps: pickGuest })], deps: { guest: true } })
    const { steps } = await agent.run('go')
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['plain', 'ticket'])
    expect(steps[0]?.results[0]).toMatchObject({ outcome: 'unknown' })
  })

  it('wait for fields of the person and for answers from elsewhere, and know which try it is', async () => {
    const model = new ScriptedModel([toolCall('ticket', { title: 'Broken', to: 'boss' }), 'done'])
    const agent = new Agent({ model, tools: [open('steps')], confirm: 'pause' })
    const asked = await agent.run('go')
    expect(asked.pending).toMatchObject([{ kind: 'fields', input: { title: 'Broken' } }])
    const callId = String(asked.pending[0]?.callId)
    const deferred = await agent.resume(asked.state as never, { [callId]: { fields: { to: 'me' } } })
    expect(deferred.pending).toMatchObject([
      { kind: 'external', metadata: { title: 'Broken', to: 'me', attempt: 1, maxRetries: 1 } },
    ])
    const { status, messages } = await agent.resume(deferred.state as never, { [callId]: { output: 'sent' } })
    expect(status).toBe('done')
    expect(messages.at(-2)).toMatchObject({ results: [{ text: 'sent', outcome: 'success' }] })
  })
})

describe('middleware of wrapped() in a worker', () => {
  it('is refused when the worker opens: nothing there would run it', async () => {
    await expect(new ToolExecutor({ tools: open('wrapped') }).list()).rejects.toThrow(
      'has middleware of wrapped(), which does not run in a worker',
    )
  })
})
