import {
  type IndexedTool,
  remoteToolIndex,
  type SearchableIndex,
  serveToolIndex,
  ToolIndex,
} from 'offstage/retrieval'
import { expect, it, onTestFinished } from 'vitest'
import { watchWorkers } from '../../support/worker/watched-workers.ts'

function tools(count: number, fingerprint = '1'): IndexedTool[] {
  return Array.from({ length: count }, (_, number) => ({
    definition: {
      name: `copyFile${number}`,
      description: `Copies file number ${number} of ${fingerprint}.`,
      inputSchema: { type: 'object' },
    },
    fingerprint,
  }))
}

const weather: IndexedTool = {
  definition: { name: 'weather', description: '查询天气预报', inputSchema: {} },
  fingerprint: '1',
  namespace: 'sky',
}

/** A remote index, and the workers that it started. */
function remote(timeoutMs?: number): { index: SearchableIndex; started: Worker[] } {
  const started: Worker[] = []
  const index = remoteToolIndex(
    () => {
      const worker = new Worker(new URL('./index.worker.ts', import.meta.url), { type: 'module' })
      started.push(worker)
      return worker
    },
    timeoutMs === undefined ? {} : { timeoutMs },
  )
  onTestFinished(() => index.close())
  return { index, started }
}

it('an index in a worker finds what one on the page finds, through changes of the tools', async () => {
  const { index, started } = remote()
  const local = new ToolIndex()
  const catalogues = [
    tools(250),
    [weather, ...tools(250)],
    [weather, ...tools(30, 'two'), ...tools(30, 'two')],
    [],
    [weather],
  ]
  for (const catalogue of catalogues) {
    await Promise.all([index.update(catalogue), local.update(catalogue)])
    for (const query of ['copy file two 7', '查询天气 sky', 'copyFile12', 'the']) {
      const options = { limit: 5, among: new Set(['copyFile12', 'copyFile7', 'weather']), clauses: false }
      expect(await index.search(query, options)).toEqual(await local.search(query, options))
      expect(await index.search(query)).toEqual(await local.search(query))
    }
  }
  expect(started).toHaveLength(1)
  await local.close()
})

it('only tools that changed are sent to the worker', async () => {
  const { index, started } = remote()
  await index.update(tools(150))
  const [worker] = started
  if (!worker) throw new Error('no worker was started')
  const sent: string[] = []
  const post = worker.postMessage.bind(worker)
  worker.postMessage = (message: unknown, options?: StructuredSerializeOptions | Transferable[]) => {
    sent.push(JSON.stringify(message))
    post(message, options as StructuredSerializeOptions)
  }
  await index.update([...tools(150), weather])
  expect(sent.filter((message) => message.includes('description'))).toEqual([
    expect.stringContaining('查询天气预报'),
  ])
})

it('a worker that hangs is ended with an error that says so, and the next call starts another that knows the tools', async () => {
  const { index, started } = remote(2_000)
  await index.update([weather])
  started[0]?.postMessage('hang')
  const [one, other] = await Promise.allSettled([index.search('天气'), index.search('sky')])
  for (const ended of [one, other]) {
    expect(ended).toMatchObject({ status: 'rejected', reason: { name: 'ToolWorkerError', code: 'load' } })
  }
  expect(String((one as PromiseRejectedResult).reason)).toMatch(/no answer within 2000 ms .*raise timeoutMs/)
  expect((await index.search('天气')).map(({ name }) => name)).toEqual(['weather'])
  expect(started).toHaveLength(2)
})

it.each<[string, () => Worker, RegExp]>([
  [
    'is not there',
    () => new Worker('/test/browser/retrieval/none.js', { type: 'module' }),
    /could not be loaded/,
  ],
  ['throws', () => workerOf('throw new RangeError("at its start")'), /its script threw: .*at its start/],
  ['says nothing', () => workerOf(''), /not say that it is ready within 1000 ms.*serveToolIndex/],
  [
    'cannot be made',
    () => {
      throw new TypeError('refused')
    },
    /function that makes it threw \(TypeError: refused\)/,
  ],
])('a worker that %s is an error of each call, and none is left', async (_, factory, message) => {
  const workers = watchWorkers()
  const index = remoteToolIndex(factory, { timeoutMs: 1_000 })
  await expect(index.update([weather])).rejects.toThrow(message)
  await expect(index.search('x')).rejects.toMatchObject({ name: 'ToolWorkerError', code: 'load' })
  expect(workers.live).toBe(0)
  workers.restore()
})

it('an index that is closed ends its worker, what waits for it, and refuses more', async () => {
  const workers = watchWorkers()
  const { index } = remote()
  await index.update([weather])
  const waiting = index.search('sky')
  await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'closed' }), index.close()])
  expect(workers.live).toBe(0)
  await expect(index.search('sky')).rejects.toMatchObject({ code: 'closed' })
  await expect(index.update([])).rejects.toMatchObject({ code: 'closed' })
  workers.restore()
})

it('on a page, serveToolIndex() says where it belongs', () => {
  expect(() => serveToolIndex()).toThrow(/belongs into a worker file.*remoteToolIndex/)
})

function workerOf(code: string): Worker {
  return new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' })
}
