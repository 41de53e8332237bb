import { NoteStore } from 'offstage/tools'

addEventListener('message', async ({ data: path }: MessageEvent<string>) => {
  const store = new NoteStore()
  await store.append(path, 'from the worker')
  postMessage((await store.storage()).tier)
})
