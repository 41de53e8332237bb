import { openFolder, StorageError } from 'offstage'
import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

describe('openFolder where there is no storage', () => {
  it('says that a server has none', async () => {
    const failed = await openFolder('notes').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(StorageError)
    expect(failed).toMatchObject({ name: 'StorageError', code: 'unsupported' })
  })

  it('says that the page is not secure, and what to do', async () => {
    vi.stubGlobal('isSecureContext', false)
    await expect(openFolder('notes')).rejects.toMatchObject({
      code: 'insecure-context',
      message: expect.stringContaining('https'),
    })
  })

  it.each(['SecurityError', 'UnknownError'])(
    'says that the browser refuses it, and keeps its %s',
    async (name) => {
      const refusal = new DOMException('no', name)
      vi.stubGlobal('navigator', { storage: { getDirectory: () => Promise.reject(refusal) } })
      await expect(openFolder('notes')).rejects.toMatchObject({ code: 'refused', cause: refusal })
    },
  )
})
