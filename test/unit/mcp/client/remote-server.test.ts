import type { JsonObject } from 'offstage'
import { McpError } from 'offstage/mcp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeServer, never, remoteOver, toolNamed, unreachable } from './fake-connection.ts'

const names = async (remote: { list(): Promise<readonly { definition: { name: string } }[]> }) =>
  (await remote.list()).map(({ definition }) => definition.name)

it('connects by itself when it is first listed, once for all who list at the same time', async () => {
  const fake = new FakeServer()
  const { remote, statesOf } = remoteOver(fake)
  expect(fake.connections).toHaveLength(0)
  const lists = await Promise.all([names(remote), names(remote), names(remote)])
  expect(lists).toEqual([['lab_one'], ['lab_one'], ['lab_one']])
  expect(fake.connections).toHaveLength(1)
  expect(statesOf()).toEqual(['connecting', 'ready'])
})

it('is listed once: a second list asks nobody', async () => {
  const fake = new FakeServer()
  const { remote } = remoteOver(fake)
  const first = await remote.list()
  expect(await remote.list()).toBe(first)
  expect(fake.lists).toBe(1)
})

it('S19 definitions that nobody can change', async () => {
  const fake = new FakeServer()
  const own = toolNamed('one')
  fake.tools = [own]
  const { remote } = remoteOver(fake)
  const [listed] = await remote.list()
  ;(own.inputSchema as Record<string, unknown>).properties = { injected: { type: 'string' } }
  expect((await remote.list())[0]).toBe(listed)
  expect(listed?.definition.inputSchema).not.toHaveProperty('properties.injected')
  expect(() => Object.assign(listed?.definition.inputSchema ?? {}, { type: 'array' })).toThrow(TypeError)
  expect(() => Object.assign(listed?.definition.labels ?? {}, { egress: false })).toThrow(TypeError)
})

describe('a server that cannot be used', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('offers nothing, says why, and is tried again by a later list, less and less often', async () => {
    const fake = new FakeServer()
    let attempts = 0
    fake.opening = async () => {
      attempts += 1
      throw unreachable()
    }
    const { remote, states } = remoteOver(fake)
    expect(await names(remote)).toEqual([])
    expect(states.at(-1)?.status).toMatchObject({ state: 'failed', code: 'unreachable' })
    expect(remote.notes()).toEqual([
      { kind: 'failed', source: 'mcp:lab', message: 'https://example.com/mcp cannot be reached.' },
    ])
    const attemptsAfter = async (ms: number) => {
      const before = attempts
      for (let passed = 0; passed < ms; passed += 500) {
        await vi.advanceTimersByTimeAsync(500)
        await remote.list()
      }
      return attempts - before
    }
    expect(await attemptsAfter(500)).toBe(0)
    expect(await attemptsAfter(500)).toBe(1)
    expect(await attemptsAfter(10 * 60_000)).toBeLessThanOrEqual(6 + 10)
    fake.opening = async () => {}
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await names(remote)).toEqual(['lab_one'])
    expect(remote.notes()).toEqual([])
  })

  it('P22 gives up a server that never answers, and holds a list up no longer than its deadline', async () => {
    const fake = new FakeServer()
    fake.opening = never
    const { remote, states } = remoteOver(fake, { timeoutMs: 100 })
    const listed = remote.list()
    await vi.advanceTimersByTimeAsync(100)
    expect(await listed).toEqual([])
    expect(states.at(-1)?.status).toMatchObject({
      state: 'failed',
      code: 'timeout',
      reason: expect.stringContaining('100 ms'),
    })
  })

  it('P22 gives up a server that never answers what tools it has, and closes its connection', async () => {
    const fake = new FakeServer()
    fake.listing = never
    const { remote } = remoteOver(fake, { timeoutMs: 100 })
    const connecting = remote.connect()
    connecting.catch(() => {})
    await vi.advanceTimersByTimeAsync(100)
    await expect(connecting).rejects.toMatchObject({ name: 'McpError', code: 'timeout', mayHaveRun: false })
    expect(fake.connections).toHaveLength(1)
    expect(fake.openConnections).toBe(0)
  })

  it('closes a connection that comes after it was given up', async () => {
    const fake = new FakeServer()
    fake.opening = () => new Promise((resolve) => setTimeout(resolve, 300))
    const { remote, statesOf } = remoteOver(fake, { timeoutMs: 100 })
    const listed = remote.list()
    await vi.advanceTimersByTimeAsync(100)
    await listed
    await vi.advanceTimersByTimeAsync(300)
    expect(fake.connections).toHaveLength(1)
    expect(fake.openConnections).toBe(0)
    expect(statesOf()).toEqual(['connecting', 'failed'])
  })

  it('makes a list wait for a slow one for five seconds at most, and only the first list', async () => {
    const fake = new FakeServer()
    fake.opening = () => new Promise((resolve) => setTimeout(resolve, 20_000))
    const { remote, states } = remoteOver(fake)
    const first = remote.list()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await first).toEqual([])
    expect(remote.notes()).toMatchObject([{ kind: 'failed', message: expect.stringContaining('connected') }])
    const second = remote.list()
    await vi.advanceTimersByTimeAsync(1)
    expect(await second).toEqual([])
    await vi.advanceTimersByTimeAsync(15_000)
    await remote.connect()
    expect(states.at(-1)?.tools.map(({ name }) => name)).toEqual(['lab_one'])
    expect(await names(remote)).toEqual(['lab_one'])
  })

  it('waits for a person who has to sign in, and does not ask again by itself', async () => {
    const fake = new FakeServer()
    let attempts = 0
    fake.opening = async () => {
      attempts += 1
      throw new McpError('Sign in first.', { code: 'needs-authorization', status: 401, mayHaveRun: false })
    }
    const { remote, states } = remoteOver(fake)
    await remote.list()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    await remote.list()
    expect(attempts).toBe(1)
    expect(states.at(-1)?.status).toEqual({ state: 'needs-authorization', reason: 'Sign in first.' })
    fake.opening = async () => {}
    remote.reconnect()
    await vi.advanceTimersByTimeAsync(1)
    expect(await names(remote)).toEqual(['lab_one'])
  })
})

describe('a server that is lost', () => {
  it('takes its tools off the list, and is connected again by the next one', async () => {
    const fake = new FakeServer()
    const { remote, states } = remoteOver(fake)
    await remote.list()
    fake.last.events.lost?.(unreachable())
    expect(states.at(-1)).toMatchObject({ status: { state: 'failed', code: 'unreachable' }, tools: [] })
    expect(fake.openConnections).toBe(0)
    expect(await names(remote)).toEqual(['lab_one'])
    expect(fake.connections).toHaveLength(2)
  })

  it('lets a call finish that reached it before, and then closes the connection', async () => {
    const fake = new FakeServer()
    let answer: (result: JsonObject) => void = () => {}
    fake.calling = (name) =>
      name === 'one' ? new Promise((resolve) => (answer = resolve)) : Promise.reject(unreachable())
    fake.tools = [toolNamed('one'), toolNamed('two')]
    const { remote, states } = remoteOver(fake)
    await remote.list()
    const slow = remote.call('lab_one', {}, {})
    await vi.waitFor(() => expect(fake.openConnections).toBe(1))
    expect(await remote.call('lab_two', {}, {})).toMatchObject({
      kind: 'crash',
      error: { name: 'McpError', code: 'unreachable' },
    })
    expect(states.at(-1)?.status.state).toBe('failed')
    expect(fake.openConnections).toBe(1)
    answer({ content: [{ type: 'text', text: 'late' }] })
    expect(await slow).toMatchObject({ kind: 'response', response: { text: 'late' } })
    expect(fake.openConnections).toBe(0)
  })

  it('hears nothing of a connection that it has given up', async () => {
    const fake = new FakeServer()
    const { remote, states } = remoteOver(fake)
    await remote.list()
    const first = fake.last
    first.events.lost?.(unreachable())
    await remote.list()
    const told = states.length
    first.events.lost?.(unreachable())
    first.events.toolsChanged()
    await remote.list()
    expect(states).toHaveLength(told)
    expect(fake.lists).toBe(2)
  })

  it('keeps its tools after a call that failed for another reason', async () => {
    const fake = new FakeServer()
    fake.calling = () => Promise.reject(new McpError('No such row.', { code: 'server' }))
    const { remote } = remoteOver(fake)
    await remote.list()
    expect(await remote.call('lab_one', {}, {})).toEqual({
      kind: 'crash',
      error: { name: 'McpError', message: 'No such row.', code: 'server' },
    })
    expect(await names(remote)).toEqual(['lab_one'])
    expect(fake.connections).toHaveLength(1)
  })

  it.each([
    [true, true],
    [false, undefined],
  ])('says whether a call may have run: %s', async (mayHaveRun, told) => {
    const fake = new FakeServer()
    fake.calling = (_name, _input, { onStart }) => {
      onStart?.()
      return Promise.reject(new McpError('Lost.', { code: 'connection-lost', mayHaveRun }))
    }
    const { remote } = remoteOver(fake)
    const outcome = await remote.call('lab_one', {}, {})
    expect(outcome).toMatchObject({ kind: 'crash' })
    expect((outcome as { mayHaveRun?: boolean }).mayHaveRun).toBe(told)
  })
})

describe('close()', () => {
  it('ends the connection; nothing connects again before connect()', async () => {
    const fake = new FakeServer()
    const { remote, states } = remoteOver(fake)
    await remote.list()
    await remote.close()
    expect(fake.openConnections).toBe(0)
    expect(states.at(-1)).toMatchObject({ status: { state: 'idle' }, tools: [] })
    expect(await names(remote)).toEqual([])
    expect(await remote.call('lab_one', {}, {})).toMatchObject({ kind: 'failed', message: /closed/ })
    expect(remote.notes()).toMatchObject([{ kind: 'failed', message: expect.stringContaining('connect()') }])
    await remote.connect()
    expect(await names(remote)).toEqual(['lab_one'])
  })

  it('ends a connection that is being made', async () => {
    const fake = new FakeServer()
    let open: () => void = () => {}
    fake.opening = () => new Promise((resolve) => (open = resolve))
    const { remote, statesOf } = remoteOver(fake)
    const connecting = remote.connect()
    await vi.waitFor(() => expect(statesOf()).toEqual(['connecting']))
    await remote.close()
    await expect(connecting).rejects.toMatchObject({ code: 'closed' })
    open()
    await vi.waitFor(() => expect(fake.connections).toHaveLength(1))
    expect(fake.openConnections).toBe(0)
    expect(statesOf()).toEqual(['connecting', 'idle'])
  })
})
