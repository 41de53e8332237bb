import { openFolder, StorageError } from 'offstage'
import { expect, it, onTestFinished } from 'vitest'
import { engine } from '../engine.ts'

// WebKitGTK's driver opens private windows only, and private windows of WebKit have no storage.
const privateWindow = engine === 'webkit'

it.skipIf(privateWindow)('opens a folder in a folder, makes both, and finds them again', async () => {
  const root = await navigator.storage.getDirectory()
  const name = `folder-${crypto.randomUUID()}`
  onTestFinished(() => root.removeEntry(name, { recursive: true }))
  const inner = await openFolder(`${name}/inner`)
  await inner.getFileHandle('a.md', { create: true })
  const again = await openFolder(`${name}/inner`)
  expect(await again.isSameEntry(inner)).toBe(true)
  expect((await again.getFileHandle('a.md')).name).toBe('a.md')
})

it.runIf(privateWindow)('says in a private window that the browser refuses storage there', async () => {
  const error: unknown = await openFolder('notes').catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StorageError)
  expect(error).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('private window'),
    cause: { name: 'UnknownError' },
  })
})
