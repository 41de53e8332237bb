import { describe, expect, test, vi } from 'vitest'
import { connectTo, labConnection, labServer, once, usualLimits } from '../../../support/mcp/connect-to.ts'
import { sleep, textResult, textTool } from '../../../support/mcp/lab-tools.ts'

describe.each([404, 406, 400, 405])('E03: a server that refuses its stream with %i', (getStatus) => {
  test('is used without it', async () => {
    const { lab, connection, told } = await labConnection({ getStatus })
    await expect(connection.callTool('echo', { text: 'a' }, once)).resolves.toEqual(textResult('a'))
    await vi.waitFor(() => expect(lab.of('GET')).toHaveLength(1))
    await sleep(100)
    await expect(connection.callTool('echo', { text: 'b' }, once)).resolves.toEqual(textResult('b'))
    expect(lab.of('GET')).toHaveLength(1)
    expect(lab.of('initialize')).toHaveLength(1)
    expect(told).toEqual({ changes: 0, lost: [] })
  })
})

test('a stream that breaks is opened again, and what may have been missed is told', async () => {
  const { lab, told } = await labConnection()
  await vi.waitFor(() => expect(lab.listeners).toBe(1))
  lab.breakListeners()
  await vi.waitFor(() => expect(lab.of('GET')).toHaveLength(2))
  await vi.waitFor(() => expect(told.changes).toBe(1))
  lab.changeTools([])
  await vi.waitFor(() => expect(told.changes).toBe(2))
  expect(lab.of('initialize')).toHaveLength(1)
})

test('a stream with stored events is taken up where it broke', async () => {
  const { lab, told } = await labConnection({ eventStore: true })
  await vi.waitFor(() => expect(lab.listeners).toBe(1))
  lab.push('notifications/tools/list_changed')
  await vi.waitFor(() => expect(told.changes).toBe(1))
  lab.breakListeners()
  lab.push('notifications/tools/list_changed')
  await vi.waitFor(() => expect(told.changes).toBe(2))
  expect(lab.of('GET')[1]?.headers['last-event-id']).toMatch(/_1$/)
})

test.each(['3000000000', '99999999999999999999'])(
  'a server that wants to be left alone for %s ms, longer than any timer, is not asked in a storm',
  async (retry) => {
    const { lab, connection } = await labConnection({
      eventStore: true,
      handle: ({ method }, response) => {
        if (method !== 'GET') return false
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`retry: ${retry}\n\n`)
        return true
      },
      tools: [
        {
          ...textTool('leaves'),
          call: (_input, { hangUp }) => {
            hangUp(Number(retry))
            return new Promise(() => {})
          },
        },
      ],
    })
    const controller = new AbortController()
    const call = connection.callTool('leaves', {}, { ...once, signal: controller.signal })
    await vi.waitFor(() => expect(lab.of('GET')).toHaveLength(1))
    await sleep(300)
    expect(lab.of('GET')).toHaveLength(1)
    controller.abort()
    await call.catch(() => {})
  },
)

test('a server that only cannot now is asked again', async () => {
  const { lab } = await labConnection({ getStatus: 503 })
  await vi.waitFor(() => expect(lab.of('GET')).toHaveLength(1))
  lab.options = {}
  await vi.waitFor(() => expect(lab.listeners).toBe(1))
})

test('a device that is online again does not wait for the next try', async () => {
  const place = new EventTarget()
  vi.stubGlobal('addEventListener', place.addEventListener.bind(place))
  vi.stubGlobal('removeEventListener', place.removeEventListener.bind(place))
  try {
    const { lab } = await labConnection()
    await vi.waitFor(() => expect(lab.listeners).toBe(1))
    const pauses: number[] = []
    lab.options = { getStatus: 503 }
    lab.breakListeners()
    for (let tries = 2; tries <= 8; tries++) {
      await sleep(20)
      const begun = performance.now()
      place.dispatchEvent(new Event('online'))
      await vi.waitFor(() => expect(lab.of('GET')).toHaveLength(tries))
      pauses.push(performance.now() - begun)
    }
    // Without the event the seventh pause alone is longer than ten seconds.
    expect(Math.min(...pauses)).toBeLessThan(10_000)
  } finally {
    vi.unstubAllGlobals()
  }
})

test('a server that is gone is told once, and that it is back', async () => {
  const first = await labServer()
  const { told } = await connectTo(first.url)
  await vi.waitFor(() => expect(first.listeners).toBe(1))
  await first.close()
  await vi.waitFor(() => expect(told.lost).toHaveLength(1))
  expect(told.lost[0]).toMatchObject({ code: 'unreachable' })
  const second = await labServer({ port: first.port })
  await vi.waitFor(() => expect(second.listeners).toBe(1))
  await vi.waitFor(() => expect(told.changes).toBe(1))
  expect(told.lost).toHaveLength(1)
})

test('clients of one server leave connections free for calls', async () => {
  const lab = await labServer()
  const clients = await Promise.all(Array.from({ length: 7 }, () => connectTo(lab.url)))
  const lists = clients.map(({ connection }) => connection.listTools(usualLimits))
  await expect(Promise.all(lists)).resolves.toHaveLength(7)
  expect(lab.listeners).toBe(2)
  const [first] = clients
  await first?.connection.close()
  await vi.waitFor(() => expect(lab.listeners).toBe(2))
})
