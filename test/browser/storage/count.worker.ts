import { indexedDBStore } from '../../../src/storage/indexeddb-store.ts'

/** How often a worker counts a value up. */
export interface CountRequest {
  readonly name: string
  readonly key: string
  readonly times: number
}

addEventListener('message', async ({ data }: MessageEvent<CountRequest>) => {
  const store = indexedDBStore(data.name)
  for (let time = 0; time < data.times; time += 1) {
    await store.update(data.key, (old) => Number(old ?? 0) + 1)
  }
  postMessage('done')
})
