import { ToolExecutor, ToolRegistry, tool, WorkerToolset } from 'offstage'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { kitWorker, listenHere, openKit, watchHere } from './kit.ts'

const call = (name: string, input: object = {}) => ({ name, input })
const guardMs = 8_000

describe('close() of a WorkerToolset', () => {
  it('settles the calls that are open, and says so', async () => {
    const { heard } = listenHere()
    const workers = watchHere()
    const kit = openKit({ size: 1 })
    const executor = new ToolExecutor({ tools: kit })
    const running = executor.execute(call('wait_local', { ms: 60_000, id: 'open-call' }))
    await vi.waitFor(() => expect(heard).toContain('open-call ran'), guardMs)
    const waiting = [executor.execute(call('alone', { ms: 60_000 })), executor.execute(call('count'))]
    // The toolset is open: within one task both are past the list of tools.
    await new Promise((resolve) => setTimeout(resolve, 50))
    await kit.close()
    const results = await Promise.all([running, ...waiting])
    expect(results.map(({ outcome }) => outcome)).toEqual(['error', 'error', 'error'])
    expect(results.map(({ error }) => error?.code)).toEqual(['closed', 'closed', 'closed'])
    expect(results[0]?.response.text).toMatch(/was closed. It may have run/)
    await vi.waitFor(() => expect(workers.live).toBe(0), guardMs)
  })

  it('refuses every later call until start()', async () => {
    const kit = openKit({ size: 1 })
    await kit.start()
    await kit.close()
    const refused = { name: 'ToolWorkerError', code: 'closed' }
    await expect(kit.list()).rejects.toMatchObject(refused)
    await expect(kit.call('add', { a: 1, b: 2 })).rejects.toMatchObject(refused)
    await expect(kit.preflight('add', { a: 1, b: 2 })).rejects.toMatchObject(refused)
    await kit.start()
    expect(await kit.call('add', { a: 1, b: 2 })).toMatchObject({ response: { text: '3' } })
  })

  it('ends workers that are still starting, at once', async () => {
    const workers = watchHere()
    const kit = openKit({ size: 2 })
    const starting = kit.start()
    expect(workers.live).toBe(2)
    await kit.close()
    expect(workers.live).toBe(0)
    await expect(starting).rejects.toMatchObject({ code: 'closed' })
  })

  it('makes no spare afterwards', async () => {
    const workers = watchHere()
    const kit = openKit({ size: 1 })
    await kit.start()
    await kit.close()
    const { made } = workers
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(workers.made).toBe(made)
    expect(workers.live).toBe(0)
  })

  it('leaves nothing of a run in the way of the next: start, close, start (StrictMode)', async () => {
    const workers = watchHere()
    const kit = openKit({ size: 1 })
    const first = kit.start().catch((error: unknown) => error)
    await kit.close()
    await kit.start()
    expect(await first).toMatchObject({ code: 'closed' })
    expect(await kit.call('add', { a: 1, b: 2 })).toMatchObject({ response: { text: '3' } })
    await vi.waitFor(() => expect(workers.live).toBe(2), guardMs)
  })

  it('L01 reports nothing to nobody when an effect starts it and its clean-up closes it', async () => {
    const unhandled = vi.fn((event: PromiseRejectionEvent) => event.preventDefault())
    globalThis.addEventListener('unhandledrejection', unhandled)
    onTestFinished(() => globalThis.removeEventListener('unhandledrejection', unhandled))
    const kit = openKit({ size: 1 })
    void kit.start()
    void kit.close()
    await kit.start()
    expect(await kit.call('add', { a: 1, b: 2 })).toMatchObject({ response: { text: '3' } })
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('does nothing before a start, and nothing a second time', async () => {
    const kit = openKit()
    await kit.close()
    await kit.close()
    await expect(kit.list()).rejects.toMatchObject({ code: 'closed' })
  })
})

describe('L10 hot reload', () => {
  it('L10 close() and start() 10 times leave one pool', async () => {
    const workers = watchHere()
    const kit = openKit({ size: 1 })
    for (let round = 0; round < 10; round += 1) {
      await kit.start()
      await kit.close()
    }
    await kit.start()
    expect(await kit.call('add', { a: 1, b: 2 })).toMatchObject({ response: { text: '3' } })
    // The lane and its spare.
    await vi.waitFor(() => expect(workers.live).toBe(2), guardMs)
  })

  it('L10 editing the tool file 10 times: the same owner replaces its tool', async () => {
    const registry = new ToolRegistry()
    for (let edit = 1; edit <= 10; edit += 1) {
      registry.register(tool({ name: 'edited', description: `Edit ${edit}.`, execute: () => edit }), {
        owner: 'tools.ts',
      })
    }
    expect(registry.list().map(({ definition }) => definition.description)).toEqual(['Edit 10.'])
    expect((await registry.executeTool('edited')).response.text).toBe('10')
  })
})

describe('what the page sends to a worker', () => {
  it('is plain data: no port, no proxy, no function', async () => {
    const workers = watchHere()
    const kit = new WorkerToolset(kitWorker, { size: 1, deps: () => ({ locale: 'nb' }) })
    onTestFinished(() => kit.close())
    const executor = new ToolExecutor({ tools: kit, timeoutMs: 400 })
    await executor.executeStep([
      call('add', { a: 1, b: 2 }),
      call('steps', { times: 3 }),
      call('count'),
      call('spin'),
    ])
    expect(workers.sent.length).toBeGreaterThanOrEqual(8)
    for (const { message, transfer } of workers.sent) {
      expect(transfer === undefined || (Array.isArray(transfer) && transfer.length === 0)).toBe(true)
      // Comlink marks what it hands over as HANDLER; JSON shows everything that plain data has.
      expect(JSON.parse(JSON.stringify(message))).toEqual(structuredClone(message))
      expect(JSON.stringify(message)).not.toMatch(/HANDLER|ENDPOINT|RELEASE/)
    }
  })
})
