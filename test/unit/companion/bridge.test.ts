import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolExecutor, withoutFence } from 'offstage'
import { type Companion, startCompanion } from 'offstage/companion'
import { memoryPinStore } from 'offstage/mcp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { root } from '../../run/project.ts'
import { asPage } from '../../support/companion/as-page.ts'
import { type CompanionProcess, startCompanionProcess } from '../../support/companion/companion-process.ts'
import { pairedPage } from '../../support/companion/paired-page.ts'
import { fenced } from '../../support/fenced.ts'

const folder = mkdtempSync(join(tmpdir(), 'offstage-bridge-'))
const notes = join(folder, 'notes.txt')
const lab = join(root, 'test/support/companion/stdio-lab.mjs')
const [everything, filesystem, memory] = ['everything', 'filesystem', 'memory'].map((name) =>
  createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/dist/index.js`),
)
const allowed = join(folder, 'allowed')
const config = join(folder, 'companion.json')
let companion: CompanionProcess
let page: Awaited<ReturnType<typeof pairedPage>>

const programArguments = [
  ...['--mcp', `lab="${process.execPath}" '${lab}' ${notes}`],
  ...['--mcp', `everything=${process.execPath} ${everything} stdio`],
  ...['--mcp', 'missing=/nowhere/there-is-no-such-program', '--config', config],
]

const lines = () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [])
/** The processes of the lab that was started last: its own and that of its child. */
const processes = () =>
  (lines()
    .findLast((line) => line.startsWith('started'))
    ?.split(' ')
    .slice(1)
    .map(Number) as [number, number] | undefined) ?? []

function isAlive(pid: number): boolean {
  // A process that has ended and waits for its parent to look is a zombie.
  return existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

/** A client of one of the servers, and the gate over it. */
function open(name: string, options: Parameters<typeof page.server>[1] = {}) {
  const client = page.server(name, { pinStore: memoryPinStore(), ...options })
  const progress: unknown[] = []
  const gate = new ToolExecutor({
    tools: [client],
    onEvent: (event) => {
      if (event.type === 'progress') progress.push(event.value)
    },
  })
  const call = (tool: string, input: object = {}, signal?: AbortSignal) =>
    gate.execute({ name: `${name}_${tool}`, input }, signal === undefined ? {} : { signal })
  return { client, gate, progress, call }
}

beforeAll(async () => {
  mkdirSync(allowed)
  writeFileSync(join(allowed, 'one.txt'), 'only this')
  const command = process.execPath
  const servers = {
    files: { command, args: [filesystem, 'allowed'] },
    memory: { command, args: [memory], env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
  }
  writeFileSync(config, JSON.stringify({ mcp: servers }))
  companion = await startCompanionProcess(programArguments, { TAVILY_API_KEY: 'tvly-very-secret' })
  page = await pairedPage(companion.link(), {
    elicit: async ({ message }) => ({ action: 'accept', content: { name: `asked: ${message}` } }),
  })
})

afterAll(async () => {
  await companion.end('SIGKILL')
  rmSync(folder, { recursive: true })
})

describe('a stdio server behind the companion', () => {
  it('starts with the first use of it, with an environment without keys', async () => {
    expect(page.servers).toEqual(['files', 'memory', 'lab', 'everything', 'missing'])
    expect(lines()).toEqual([])
    const { call } = open('lab')
    const { response } = await call('environment')
    expect(lines()).toHaveLength(1)
    const environment = JSON.parse(withoutFence(response.text))
    expect(environment.PATH).toBe(process.env.PATH)
    expect(Object.keys(environment)).not.toContain('TAVILY_API_KEY')
    expect(response.text).not.toContain('secret')
  })

  it('reports progress, in order and before the result', async () => {
    const { call, progress } = open('lab')
    expect(await call('count')).toMatchObject({ outcome: 'success', response: { text: fenced('counted') } })
    expect(progress).toMatchObject([1, 2, 3].map((count) => ({ progress: count, total: 3 })))
  })

  it('asks the person', async () => {
    const { response } = await open('lab').call('ask')
    expect(JSON.parse(withoutFence(response.text))).toEqual({
      action: 'accept',
      content: { name: 'asked: Who are you?' },
    })
  })

  it('is told when a call is cancelled, and serves on', async () => {
    const { call } = open('lab')
    const abort = new AbortController()
    const hanging = call('hang', {}, abort.signal)
    await vi.waitFor(() => expect(lines()).toContain('hanging'))
    // Others do not wait for it.
    expect(await call('count')).toMatchObject({ outcome: 'success' })
    abort.abort()
    expect(await hanging).toMatchObject({ outcome: 'cancelled' })
    await vi.waitFor(() => expect(lines()).toContain('cancelled'))
    expect(await call('count')).toMatchObject({ outcome: 'success' })
    expect(lines().filter((line) => line.startsWith('started'))).toHaveLength(1)
  })

  it('that ends in the middle of a call ends the call, and is started again for the next', async () => {
    const { call } = open('lab')
    const before = processes()
    const crashed = await call('crash')
    expect(crashed.outcome).toBe('error')
    expect(crashed.response.text).toContain('ended (exit code 3)')
    await vi.waitFor(() => expect(before.filter(isAlive)).toEqual([]))
    expect(await call('count')).toMatchObject({ outcome: 'success' })
    expect(await open('lab').call('ask')).toMatchObject({ outcome: 'success' })
    expect(processes()).not.toEqual(before)
  })

  it('is killed with all it has started when the session is closed', async () => {
    const { client, call } = open('lab')
    await call('count')
    const running = processes()
    expect(running.map(isAlive)).toEqual([true, true])
    await client.close()
    await vi.waitFor(() => expect(running.filter(isAlive)).toEqual([]))
    expect(lines().at(-1)).toBe('asked to end')
  })

  it('has a process for each session, which ends with that one alone', async () => {
    const other = await pairedPage(await companion.newLink())
    await other.server('lab', { pinStore: memoryPinStore() }).connect()
    const theirs = processes()
    await open('lab').client.connect()
    const mine = processes()
    expect(theirs).not.toEqual(mine)
    expect([...mine, ...theirs].map(isAlive)).toEqual([true, true, true, true])
    await other.close()
    await vi.waitFor(() => expect(theirs.filter(isAlive)).toEqual([]))
    expect(mine.map(isAlive)).toEqual([true, true])
    await page.server('lab').close()
  })

  it('that cannot be started is a reason, and starts no others', async () => {
    const { client } = open('missing')
    await expect(client.connect()).rejects.toThrow(
      'The MCP server "missing" could not be started (ENOENT). What it printed is in the terminal of the companion.',
    )
  })

  it('that the companion does not have is a mistake that names those it has', () => {
    expect(() => page.server('other')).toThrow(
      'The companion has no MCP server "other"; it has: files, memory, lab, everything, missing.',
    )
  })

  it('that reads files stays in its folder, and one that remembers remembers', async () => {
    const files = open('files').call
    const text = async (path: string) => (await files('read_text_file', { path })).response
    expect(await text(join(allowed, 'one.txt'))).toMatchObject({
      text: fenced('only this'),
      status: 'success',
    })
    expect((await text('/etc/passwd')).status).toBe('error')
    const memory = open('memory').call
    const entity = { name: 'Ada', entityType: 'person', observations: ['wrote programs'] }
    expect(await memory('create_entities', { entities: [entity] })).toMatchObject({ outcome: 'success' })
    const { response } = await memory('search_nodes', { query: 'programs' })
    expect(response.data).toMatchObject({ entities: [entity] })
    await Promise.all([page.server('files').close(), page.server('memory').close()])
  })

  it('of the authors of the protocol works as it does without the bridge', async () => {
    const { call, gate, progress, client } = open('everything')
    expect((await gate.list()).length).toBeGreaterThan(10)
    expect(await call('echo', { message: 'hi' })).toMatchObject({ response: { text: fenced('Echo: hi') } })
    await call('trigger-long-running-operation', { duration: 0.2, steps: 2 })
    expect(progress).toMatchObject([{ progress: 1 }, { progress: 2 }])
    const asked = await call('trigger-elicitation-request')
    expect(asked.outcome).toBe('success')
    expect((await client.listResources()).items.length).toBeGreaterThan(0)
    await client.close()
  })
})

describe('a session', () => {
  let quick: Companion
  beforeAll(async () => {
    const args = [lab, notes]
    quick = await startCompanion({ idleMs: 400, mcp: { lab: { command: process.execPath, args } } })
  })
  afterAll(() => quick.close())

  it('that nobody uses rests without its process, and goes on with the next call', async () => {
    const resting = await pairedPage(quick.pairingLink())
    const client = resting.server('lab', { pinStore: memoryPinStore() })
    await client.connect()
    const before = processes()
    await vi.waitFor(() => expect(before.filter(isAlive)).toEqual([]))
    expect(client.status.state).toBe('ready')
    const gate = new ToolExecutor({ tools: [client] })
    expect(await gate.execute({ name: 'lab_count', input: {} })).toMatchObject({ outcome: 'success' })
    expect(processes()).not.toEqual(before)
    await resting.close()
  })

  /** A session without a client, so that a test can do what none does. */
  async function begin() {
    const code = new URL(quick.pairingLink()).hash.slice('#pair='.length)
    const type = { 'content-type': 'application/json' }
    const body = JSON.stringify({ code })
    const paired = await asPage()(`${quick.url}/pair`, { method: 'POST', headers: type, body })
    const { token } = await paired.json()
    const accept = 'application/json, text/event-stream'
    const headers: Record<string, string> = { ...type, accept, authorization: `Bearer ${token}` }
    const send = (init: RequestInit) => asPage()(`${quick.url}/mcp/lab`, { ...init, headers })
    const post = (message: object, signal: AbortSignal | null = null) =>
      send({ method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...message }), signal })
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const begun = await post({ id: 1, method: 'initialize', params })
    await begun.text()
    headers['mcp-session-id'] = begun.headers.get('mcp-session-id') ?? ''
    await post({ method: 'notifications/initialized' })
    return { post, listen: () => send({ method: 'GET' }) }
  }

  it('keeps what the server says before the page listens', async () => {
    const { listen } = await begin()
    // The server says it as soon as it has begun. A session that was asked anything would say it with the answer.
    await new Promise((resolve) => setTimeout(resolve, 200))
    const reader = (await listen()).body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toContain('notifications/tools/list_changed')
    await reader?.cancel()
  })

  it('whose page goes away in the middle of a call has that call cancelled', async () => {
    const { post } = await begin()
    const count = (line: string) => lines().filter((one) => one === line).length
    const [hanging, cancelled] = [count('hanging'), count('cancelled')]
    const abort = new AbortController()
    await post({ id: 2, method: 'tools/call', params: { name: 'hang' } }, abort.signal)
    await vi.waitFor(() => expect(count('hanging')).toBe(hanging + 1))
    abort.abort()
    await vi.waitFor(() => expect(count('cancelled')).toBe(cancelled + 1))
    // Nobody listens and nobody asks: it is over.
    const running = processes()
    await vi.waitFor(() => expect(running.filter(isAlive)).toEqual([]))
    expect((await post({ id: 3, method: 'tools/list' })).status).toBe(404)
  })
})

it('what a companion has started ends with it', async () => {
  await open('lab').client.connect()
  const running = processes()
  expect(running.map(isAlive)).toEqual([true, true])
  expect(await companion.end('SIGINT')).toBe(0)
  await vi.waitFor(() => expect(running.filter(isAlive)).toEqual([]))
  await page.close()
})
