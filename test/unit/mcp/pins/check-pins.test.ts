import { describe, expect, test } from 'vitest'
import { acceptDrift, checkPins, forgetPins } from '../../../../src/mcp/pins/check-pins.ts'
import { keyValuePinStore, memoryPinStore } from '../../../../src/mcp/pins/pin-store.ts'
import { pinKey, pinnedServer } from '../../../../src/mcp/pins/server-pins.ts'
import { memoryStore } from '../../../../src/storage/memory-store.ts'
import { after, before, mail, serverTool } from './pinned-tools.ts'

async function statesOf(...[store, server, tools, now]: Parameters<typeof checkPins>) {
  return Object.fromEntries((await checkPins(store, server, tools, now)).states)
}

describe('checkPins', () => {
  test('a tool is new at its first use, and pinned from then on', async () => {
    const store = memoryPinStore()
    const send = await serverTool('send', before)
    expect(await statesOf(store, mail, [send], 5)).toEqual({ send: { state: 'new', trust: 'first-use' } })
    expect(await statesOf(store, mail, [send], 9)).toEqual({
      send: { state: 'pinned', trust: 'first-use', pinnedAt: 5 },
    })
  })

  test('E23: a changed description is drift, with both definitions, until a person accepts it', async () => {
    const store = memoryPinStore()
    const [old, now, other] = [
      await serverTool('send', before),
      await serverTool('send', after),
      await serverTool('read', 'Reads.'),
    ]
    await checkPins(store, mail, [old, other], 5)
    for (let time = 0; time < 2; time += 1) {
      expect(await statesOf(store, mail, [now, other])).toEqual({
        send: { state: 'drifted', before: old.raw, after: now.raw, pinnedAt: 5 },
        read: { state: 'pinned', trust: 'first-use', pinnedAt: 5 },
      })
    }
    await acceptDrift(store, mail, now, 7)
    expect(await statesOf(store, mail, [now])).toEqual({
      send: { state: 'pinned', trust: 'person', pinnedAt: 7 },
    })
    expect(await statesOf(store, mail, [old])).toMatchObject({ send: { state: 'drifted' } })
  })

  test('a change that no cleaned text shows is drift', async () => {
    const store = memoryPinStore()
    const [old, now] = [await serverTool('send', before), await serverTool('send', `${before}\u200B`)]
    expect(now.description).toBe(old.description)
    await checkPins(store, mail, [old])
    expect(await statesOf(store, mail, [now])).toMatchObject({ send: { state: 'drifted' } })
  })

  test('a tool that goes away and comes back changed is drift', async () => {
    const store = memoryPinStore()
    await checkPins(store, mail, [await serverTool('send', before)])
    await checkPins(store, mail, [await serverTool('read', 'Reads.')])
    expect(await statesOf(store, mail, [await serverTool('send', after)])).toMatchObject({
      send: { state: 'drifted' },
    })
  })

  test('a forgotten tool is new again', async () => {
    const store = memoryPinStore()
    const tools = [await serverTool('send', before), await serverTool('read', 'Reads.')]
    await checkPins(store, mail, tools)
    await forgetPins(store, mail, ['send'])
    expect(await statesOf(store, mail, tools)).toMatchObject({
      send: { state: 'new' },
      read: { state: 'pinned' },
    })
  })

  test('servers are told apart by namespace, origin, path and query; of the query only a hash is kept', async () => {
    const store = memoryPinStore()
    const send = await serverTool('send', before)
    await checkPins(store, mail, [send])
    const at = (namespace: string, url: string) =>
      statesOf(store, pinnedServer(namespace, new URL(url)), [send])
    expect(await at('mail', 'https://mail.example/mcp?key=secret#y')).toMatchObject({
      send: { state: 'pinned' },
    })
    for (const [namespace, url] of [
      ['other', 'https://mail.example/mcp'],
      ['mail', 'https://mail.example/other'],
      ['mail', 'https://mail.example/mcp?key=other'],
      ['mail', mail.url],
      ['mail', 'https://mail.example:8443/mcp'],
      ['mail', 'http://mail.example/mcp'],
    ] as const) {
      expect(await at(namespace, url)).toMatchObject({ send: { state: 'new' } })
    }
    expect(mail.url).toMatch(/^https:\/\/mail\.example\/mcp\?sha256=[0-9a-f]{64}$/)
  })

  test('a tool called __proto__ or constructor is pinned like any other', async () => {
    const store = memoryPinStore()
    for (const name of ['__proto__', 'constructor']) {
      await checkPins(store, mail, [await serverTool(name, before)])
      const { states } = await checkPins(store, mail, [await serverTool(name, after)])
      expect(states.get(name)?.state).toBe('drifted')
    }
  })

  test('of two clients that use a tool first at once, one is told that it is another one', async () => {
    const store = memoryPinStore()
    const found = await Promise.all(
      [before, after].map(async (text) => statesOf(store, mail, [await serverTool('send', text)])),
    )
    expect(found.map(({ send }) => send?.state).sort()).toEqual(['drifted', 'new'])
  })

  test('clients that pin different tools at once lose none', async () => {
    const store = memoryPinStore()
    const tools = await Promise.all(Array.from({ length: 10 }, (_, index) => serverTool(`t${index}`, before)))
    await Promise.all(tools.map((tool) => checkPins(store, mail, [tool])))
    expect((await store.get(mail)).tools.size).toBe(10)
  })

  test('beyond 1,024 tools nothing is pinned any more, and a note says so', async () => {
    const store = memoryPinStore()
    const send = await serverTool('send', before)
    const tools = Array.from({ length: 1025 }, (_, index) => {
      const name = `t${index}`
      return { ...send, originalName: name, raw: { ...send.raw, name } }
    })
    expect((await checkPins(store, mail, tools.slice(0, 1024))).note).toBeUndefined()
    const { states, note } = await checkPins(store, mail, tools)
    expect(states.get('t1024')).toEqual({ state: 'new', trust: 'first-use' })
    expect(note).toContain('1024')
    expect((await store.get(mail)).tools.size).toBe(1024)
  })

  test('what is stored and is no pin harms no other pin', async () => {
    const values = memoryStore()
    const store = keyValuePinStore(values)
    const send = await serverTool('send', before)
    await checkPins(store, mail, [send])
    await values.update(pinKey(mail), (stored) => {
      const { tools, ...rest } = stored as { tools: object[] }
      return { ...rest, tools: [7, null, { name: 'read' }, { ...tools[0], name: 'other' }, ...tools] }
    })
    expect([...(await store.get(mail)).tools.keys()]).toEqual(['send'])
    expect(await statesOf(store, mail, [send])).toMatchObject({ send: { state: 'pinned' } })
  })
})
