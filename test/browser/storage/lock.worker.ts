import { holdLock } from '../../../src/storage/locks.ts'

let release = () => {}

addEventListener('message', async ({ data }: MessageEvent<string>) => {
  if (data === 'release') return release()
  const { held } = await holdLock(data, async () => {
    postMessage('held')
    await new Promise<void>((resolve) => {
      release = resolve
    })
  })
  postMessage(held ? 'released' : 'refused')
})
