import { Agent, ToolExecutor, ToolWorkerError, WorkerToolset } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { type WatchedWorkers, watchWorkers } from '../../support/worker/watched-workers.ts'
import { engine } from '../engine.ts'
import { kitWorker } from './kit.ts'

const missing = '/test/browser/worker/there-is-no-such.worker.js'
const module = { type: 'module' } as const

let workers: WatchedWorkers | undefined

/** The error of a toolset that cannot open, after which no worker may be left. */
async function failure(factory: () => unknown, readyTimeoutMs = 10_000): Promise<ToolWorkerError> {
  workers = watchWorkers()
  const toolset = new WorkerToolset(factory as () => Worker, { size: 2, readyTimeoutMs })
  const error: unknown = await toolset.list().catch((thrown: unknown) => thrown)
  await toolset.close()
  if (!(error instanceof ToolWorkerError)) throw new Error('it opened', { cause: error })
  return error
}

afterEach(() => {
  expect(workers?.live ?? 0).toBe(0)
  workers?.restore()
  workers = undefined
})

/** A worker of a text that is no file of the project: broken code must not be in one. */
function workerOf(code: string, type = 'text/javascript'): Worker {
  const address = URL.createObjectURL(new Blob([code], { type }))
  onTestFinished(() => URL.revokeObjectURL(address))
  return new Worker(address, module)
}

const fileChecks = [
  /URL \(write the factory like \(\) => new Worker\(new URL\('/,
  /MIME type/,
  /syntax error/,
]

describe('a worker that cannot be loaded', () => {
  it('is told to the developer when its address answers 404', async () => {
    expect((await fetch(missing)).status).toBe(404)
    const error = await failure(() => new Worker(missing, module))
    expect(error).toMatchObject({ name: 'ToolWorkerError', code: 'load' })
    for (const check of fileChecks) expect(error.message).toMatch(check)
  })

  it('is told when its address answers with another type than JavaScript', async () => {
    const answer = await fetch('/package.json')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    const error = await failure(() => new Worker('/package.json', module))
    expect(error.message).toMatch(/could not be loaded.*JavaScript MIME type/)
  })

  it('is told when its code has a syntax error', async () => {
    const error = await failure(() => workerOf('export const tools = ['))
    expect(error.message).toMatch(/no syntax error/)
  })

  it('is told when one of its imports is missing', async () => {
    const error = await failure(() => workerOf(`import '${location.origin}${missing}'`))
    expect(error.message).toMatch(/all its imports resolve/)
  })

  it('is told with the message of the error that its code throws, and with nothing that is beside the point', async () => {
    const error = await failure(
      () => new Worker(new URL('./throws.worker.ts', import.meta.url), { type: 'module' }),
    )
    expect(error.message).toMatch(
      /script threw: .*RangeError: the first line of this worker throws \(.*throws\.worker\.ts.*:\d+\)/,
    )
    expect(error.message).not.toMatch(/MIME/)
  })

  it('is told when a promise that its code awaits rejects', async () => {
    const error = await failure(
      () => new Worker(new URL('./rejects.worker.ts', import.meta.url), { type: 'module' }),
      5_000,
    )
    // WebKit tells neither the worker nor the page of such a promise.
    const message =
      engine === 'webkit' ? /not say that it is ready/ : /the data of this worker could not be loaded/
    expect(error.message).toMatch(message)
  })

  it('is told when it never says that it is ready, as soon as readyTimeoutMs passed', async () => {
    const before = performance.now()
    const error = await failure(
      () => new Worker(new URL('./silent.worker.ts', import.meta.url), { type: 'module' }),
      700,
    )
    expect(performance.now() - before).toBeGreaterThanOrEqual(690)
    expect(performance.now() - before).toBeLessThan(5_000)
    expect(error.message).toMatch(/not say that it is ready within 700 ms.*calls serveTools\(tools\)/)
  })

  it('is told when it serves two tools of one name', async () => {
    const error = await failure(
      () => new Worker(new URL('./same-names.worker.ts', import.meta.url), { type: 'module' }),
    )
    expect(error.message).toMatch(
      /serveTools\(\): two tools are named "twice" \(origins "app" and "app"\)\. Rename one of them/,
    )
  })

  it('is told when two sources that it serves offer one name', async () => {
    const error = await failure(
      () => new Worker(new URL('./same-names-late.worker.ts', import.meta.url), { type: 'module' }),
    )
    expect(error.message).toMatch(/serveTools\(\) failed: .*Two tools are named "twice"/)
  })

  it('is told when it calls serveTools() twice', async () => {
    const error = await failure(
      () => new Worker(new URL('./serves-twice.worker.ts', import.meta.url), { type: 'module' }),
    )
    expect(error.message).toMatch(/called twice in one worker. Call it once, with all tools in one list/)
  })

  it('is told when the worker is of another origin', async () => {
    const error = await failure(() => new Worker('https://other.example/tools.worker.js', module))
    if (engine === 'firefox') {
      // Firefox makes the worker, and then tells that it failed, but not why.
      expect(error.message).toMatch(/script could not be loaded. To check: \(1\) the URL/)
    } else {
      expect(error.message).toMatch(/factory threw \(SecurityError: .*origin of the page/)
      expect(error.cause).toBeInstanceOf(DOMException)
    }
  })

  it('is told with the error of a factory that throws', async () => {
    const cause = new TypeError('no such variable')
    const error = await failure(() => {
      throw cause
    })
    expect(error.message).toMatch(/factory threw \(TypeError: no such variable\)/)
    expect(error.cause).toBe(cause)
  })

  it('is told what a factory throws that is no error', async () => {
    const cause = 'no workers today'
    const error = await failure(() => {
      throw cause
    })
    expect(error.message).toMatch(/factory threw \(no workers today\)/)
    expect(error.cause).toBe(cause)
  })

  it.each([
    ['nothing', () => undefined],
    ['a promise', async () => kitWorker],
    ['an address', () => new URL(missing, location.origin)],
  ])('is told when the factory gives back %s', async (_what, factory) => {
    const error = await failure(factory)
    expect(error.message).toMatch(/returned no Worker. Write it like \(\) => new Worker\(new URL\(/)
  })

  it('is told when it is asked for where there is no worker file at all: serveTools() on the page', async () => {
    const { serveTools } = await import('offstage/worker')
    expect(() => serveTools([])).toThrow(/belongs into a worker file.*new WorkerToolset/)
  })
})

describe('G03 a worker file 404, wrong MIME type or throws at load', () => {
  const factories: [string, () => Worker][] = [
    ['worker URL -> 404', () => new Worker(missing, module)],
    ['wrong MIME type', () => new Worker('/package.json', module)],
    [
      'worker whose first line throws',
      () => new Worker(new URL('./throws.worker.ts', import.meta.url), { type: 'module' }),
    ],
    [
      'a port with nobody listening',
      () => new Worker(new URL('./silent.worker.ts', import.meta.url), { type: 'module' }),
    ],
  ]

  it.each(factories)(
    'G03 %s: a call through the executor rejects and does not hang',
    async (_what, factory) => {
      const executor = new ToolExecutor({ tools: new WorkerToolset(factory, { readyTimeoutMs: 800 }) })
      await expect(executor.execute({ name: 'add', input: { a: 1, b: 2 } })).rejects.toMatchObject({
        name: 'ToolWorkerError',
        code: 'load',
      })
    },
  )

  it.each(factories)('G03 %s: a run of an agent rejects with the load error', async (_what, factory) => {
    const model = new ScriptedModel([ScriptedModel.toolCall('add', { a: 1, b: 2 }), 'It is 3.'])
    const agent = new Agent({ model, tools: [new WorkerToolset(factory, { readyTimeoutMs: 800 })] })
    const error: unknown = await agent.run('1 + 2?').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      message: expect.stringMatching(/tool worker could not be started/),
      cause: { name: 'ToolWorkerError', code: 'load' },
    })
  })

  it('G03 a later use of the same toolset works once the address is mended', async () => {
    let mended = false
    const toolset = new WorkerToolset(() => (mended ? kitWorker() : new Worker(missing, module)), { size: 2 })
    onTestFinished(() => toolset.close())
    const executor = new ToolExecutor({ tools: toolset })
    const ask = () => executor.execute({ name: 'add', input: { a: 1, b: 2 } })
    await expect(ask()).rejects.toMatchObject({ code: 'load' })
    await expect(toolset.start()).rejects.toMatchObject({ code: 'load' })
    mended = true
    expect(await ask()).toMatchObject({ outcome: 'success', response: { text: '3' } })
  })
})
