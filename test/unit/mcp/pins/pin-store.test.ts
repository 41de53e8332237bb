import { describe, expect, test } from 'vitest'
import { checkPins } from '../../../../src/mcp/pins/check-pins.ts'
import { indexedDBPinStore, pinStoreWithFallback } from '../../../../src/mcp/pins/indexeddb-pin-store.ts'
import { memoryPinStore, type PinStore } from '../../../../src/mcp/pins/pin-store.ts'
import { after, before, mail, serverTool } from './pinned-tools.ts'

const refuse = () => Promise.reject(new Error('No room left.'))

describe('indexedDBPinStore', () => {
  test('without a database it keeps pins in memory, says why, and rejects nothing', async () => {
    const store = indexedDBPinStore()
    expect(store.note?.()).toBeUndefined()
    const { states, note } = await checkPins(store, mail, [await serverTool('send', before)])
    expect(states.get('send')?.state).toBe('new')
    expect(note).toMatch(/not kept beyond this page: There is no database here/)
    const changed = await checkPins(store, mail, [await serverTool('send', after)])
    expect(changed.states.get('send')?.state).toBe('drifted')
  })

  test('when writing fails, what could be read is still known', async () => {
    const kept = memoryPinStore()
    await checkPins(kept, mail, [await serverTool('send', before)])
    const full: PinStore = { ...kept, update: refuse }
    const store = pinStoreWithFallback(full)
    const tools = [await serverTool('send', after), await serverTool('read', 'Reads.')]
    const { states, note } = await checkPins(store, mail, tools)
    expect([...states.values()].map(({ state }) => state)).toEqual(['drifted', 'new'])
    expect(note).toContain('No room left.')
  })

  test('a browser that never answers is not waited for', async () => {
    const silent = () => new Promise<never>(() => {})
    const store = pinStoreWithFallback({ get: silent, update: silent, all: silent, delete: silent }, 10)
    const { states, note } = await checkPins(store, mail, [await serverTool('send', before)])
    expect(states.get('send')?.state).toBe('new')
    expect(note).toContain('did not answer in 10 ms')
  })

  test('calls that fail at once all go on in the same memory', async () => {
    const store = pinStoreWithFallback({ get: refuse, update: refuse, all: refuse, delete: refuse })
    const tools = await Promise.all(['a', 'b', 'c'].map((name) => serverTool(name, before)))
    await Promise.all(tools.map((tool) => checkPins(store, mail, [tool])))
    expect([...(await store.get(mail)).tools.keys()].sort()).toEqual(['a', 'b', 'c'])
    await store.delete(mail)
    expect(await store.all()).toEqual([])
  })
})
