import { describe, expect, test } from 'vitest'
import { credentialsFor } from '../../../../src/mcp/oauth/credentials.ts'
import { memoryTokenStore, sessionTokenStore } from '../../../../src/mcp/oauth/token-store.ts'

const server = new URL('https://server.example/mcp')
const found = (authorizationServerUrl: string) => ({ authorizationServerUrl })
const first = 'https://first.example/'

describe('credentialsFor', () => {
  test('what one authorization server gave is not there for another', async () => {
    const credentials = credentialsFor(memoryTokenStore(), server)
    await credentials.saveDiscovery(found(first))
    await credentials.saveTokens({ access_token: 'a', issuer: first })
    await credentials.saveClient({ client_id: 'c', issuer: first })
    await credentials.saveDiscovery(found('https://second.example'))
    expect([await credentials.tokens(), await credentials.client()]).toEqual([undefined, undefined])
    await credentials.saveDiscovery(found('https://first.example'))
    expect(await credentials.tokens()).toEqual({ access_token: 'a', issuer: first })
  })

  test('what is for one server is not there for another of the same store', async () => {
    const store = memoryTokenStore()
    const credentials = credentialsFor(store, server)
    await credentials.saveDiscovery(found(first))
    await credentials.saveTokens({ access_token: 'a', issuer: first })
    const other = credentialsFor(store, new URL('https://server.example/other'))
    await other.saveDiscovery(found(first))
    expect(await other.tokens()).toBe(undefined)
  })

  test('all is gone when it is forgotten, and single parts one by one', async () => {
    const kept = new Map<string, string>()
    const store = {
      get: (key: string) => kept.get(key),
      set: (key: string, value: string) => void kept.set(key, value),
      delete: (key: string) => void kept.delete(key),
    }
    const credentials = credentialsFor(store, server)
    const fill = async () => {
      await credentials.saveDiscovery(found(first))
      await credentials.saveTokens({ access_token: 'a', issuer: first })
      await credentials.saveClient({ client_id: 'c', issuer: first })
    }
    await fill()
    await credentials.forget('tokens')
    expect([await credentials.tokens(), await credentials.client()]).toEqual([
      undefined,
      expect.objectContaining({ client_id: 'c' }),
    ])
    await fill()
    await credentials.forget('all')
    expect([...kept]).toEqual([])
  })

  test('a text that is torn counts as nothing', async () => {
    const store = memoryTokenStore()
    await store.set(`offstage-oauth:discovery:${server}`, '{"authorizationServerUrl":')
    expect(await credentialsFor(store, server).discovery()).toBe(undefined)
  })
})

describe('sessionTokenStore', () => {
  test('says what to use instead where there is no such storage', () => {
    expect(() => sessionTokenStore().get('key')).toThrow(
      expect.objectContaining({
        name: 'StorageError',
        message: expect.stringContaining('memoryTokenStore()'),
      }),
    )
  })
})
