import { afterEach, describe, expect, it, vi } from 'vitest'
import { indexedDBStore } from '../../../src/storage/indexeddb-store.ts'

afterEach(() => vi.unstubAllGlobals())

describe('indexedDBStore where there is no storage', () => {
  it('can be made, listened to and closed on a server, and says what to do when it is used', async () => {
    const store = indexedDBStore('anything')
    store.subscribe?.(() => {})()
    store.close?.()
    for (const use of [store.get('a'), store.update('a', () => 1), store.entries(), store.delete('a')]) {
      await expect(use).rejects.toMatchObject({
        name: 'StorageError',
        code: 'unsupported',
        message: expect.stringContaining('memoryStore()'),
      })
    }
  })

  it('says that the page is not secure, and what to do', async () => {
    vi.stubGlobal('isSecureContext', false)
    await expect(indexedDBStore('a').get('b')).rejects.toMatchObject({
      code: 'insecure-context',
      message: expect.stringContaining('https'),
    })
  })

  it.each(['SecurityError', 'InvalidStateError', 'UnknownError'])(
    'says that the browser refuses it when opening ends with %s, and asks it anew the next time',
    async (name) => {
      const refusal = new DOMException('no', name)
      const open = vi.fn(() => {
        throw refusal
      })
      vi.stubGlobal('indexedDB', { open })
      const store = indexedDBStore('a')
      await expect(store.get('b')).rejects.toMatchObject({ code: 'refused', cause: refusal })
      await expect(store.get('b')).rejects.toMatchObject({
        message: expect.stringContaining('private window'),
      })
      expect(open).toHaveBeenCalledTimes(2)
    },
  )

  it('says that there is no room when there is none for the database itself', async () => {
    const full = new DOMException('full', 'QuotaExceededError')
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw full
      },
    })
    await expect(indexedDBStore('a').get('b')).rejects.toMatchObject({ code: 'quota', cause: full })
  })
})
