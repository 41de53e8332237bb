import { describe, expect, test } from 'vitest'
import { acceptDrift, checkPins } from '../../../../src/mcp/pins/check-pins.ts'
import { exportPins, importPins } from '../../../../src/mcp/pins/export-pins.ts'
import { memoryPinStore, type PinStore } from '../../../../src/mcp/pins/pin-store.ts'
import { after, before, mail, serverTool } from './pinned-tools.ts'

async function storeWith(...descriptions: readonly string[]): Promise<PinStore> {
  const store = memoryPinStore()
  const tools = await Promise.all(descriptions.map((text, index) => serverTool(`t${index}`, text)))
  await checkPins(store, mail, tools, 5)
  return store
}

describe('exportPins and importPins', () => {
  test('pins come back from JSON text as they were', async () => {
    const store = await storeWith(before, after)
    await acceptDrift(store, mail, await serverTool('t1', before), 6)
    const text = JSON.stringify(await exportPins(store))
    expect(text).not.toContain('secret')
    const other = memoryPinStore()
    expect(await importPins(other, text)).toEqual({ added: 2, unchanged: 0, replaced: [] })
    expect(await other.all()).toEqual(await store.all())
    expect(await importPins(other, JSON.parse(text))).toEqual({ added: 0, unchanged: 2, replaced: [] })
  })

  test('a tool called __proto__, with keys of that name in its definition, survives', async () => {
    const store = memoryPinStore()
    const annotations = JSON.parse('{ "__proto__": { "constructor": 1 } }')
    const tool = await serverTool('__proto__', before, { annotations })
    await checkPins(store, mail, [tool])
    const other = memoryPinStore()
    await importPins(other, JSON.stringify(await exportPins(store)))
    expect((await other.get(mail)).tools.get('__proto__')?.fingerprint).toBe(tool.fingerprint)
  })

  test('for the same tool the imported pin holds, others stay, and both are told', async () => {
    const store = await storeWith(before, 'Reads.')
    const file = await exportPins(await storeWith(after))
    expect(await importPins(store, file)).toEqual({
      added: 0,
      unchanged: 0,
      replaced: [{ server: mail, tool: 't0' }],
    })
    const { tools } = await store.get(mail)
    expect([...tools.values()].map(({ raw }) => raw.description)).toEqual([after, 'Reads.'])
  })

  test.each<[string, (text: string) => unknown, RegExp]>([
    ['no JSON', (text) => text.slice(1), /no JSON/],
    ['no file of pins', () => [], /no file of pins/],
    ['another version', (text) => text.replace('"version":1', '"version":2'), /version 1/],
    ['servers that are no list', (text) => ({ ...JSON.parse(text), servers: {} }), /"servers"/],
    ['a namespace with a space', (text) => text.replace('"mail"', '"my mail"'), /"servers.0.namespace"/],
    ['an address with a query', (text) => text.replace(/sha256=\w+/, 'key=secret'), /"servers.0.url"/],
    [
      'an address that is a script',
      (text) => text.replace('https://mail.example/mcp', 'javascript:a'),
      /url/,
    ],
    ['a pin without a time', (text) => text.replace('"pinnedAt":5', '"pinnedAt":"5"'), /"servers.0.tools.0"/],
    ['a pin of another trust', (text) => text.replace('first-use', 'all'), /trust/],
    [
      'a definition of another tool',
      (text) => text.replace('"raw":{"name":"t0"', '"raw":{"name":"t1"'),
      /raw/,
    ],
    ['a definition that was changed', (text) => text.replace(before, after), /fingerprint is not that/],
  ])('%s is refused, and nothing is imported', async (_what, spoil, message) => {
    const text = JSON.stringify(await exportPins(await storeWith(before, 'Reads.')))
    const store = memoryPinStore()
    const file = spoil(text)
    expect(file).not.toBe(text)
    await expect(importPins(store, file)).rejects.toThrow(message)
    expect(await store.all()).toEqual([])
  })
})
