import { openFolder } from 'offstage'
import { expect, it, onTestFinished } from 'vitest'

it('opens a folder in a folder, makes both, and finds them again', async () => {
  const root = await navigator.storage.getDirectory()
  const name = `folder-${crypto.randomUUID()}`
  onTestFinished(() => root.removeEntry(name, { recursive: true }))
  const inner = await openFolder(`${name}/inner`)
  await inner.getFileHandle('a.md', { create: true })
  const again = await openFolder(`${name}/inner`)
  expect(await again.isSameEntry(inner)).toBe(true)
  expect((await again.getFileHandle('a.md')).name).toBe('a.md')
})
