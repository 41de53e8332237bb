import { Agent, AgentSession, memoryRunStore, ToolRegistry, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { flushSync, mount, unmount } from 'svelte'
import { expect, onTestFinished, test, vi } from 'vitest'
import Notes from './Notes.svelte'

function show(kit: { registry: ToolRegistry; session: AgentSession }) {
  const place = document.createElement('div')
  document.body.append(place)
  const component = mount(Notes, { target: place, context: new Map(Object.entries(kit)) })
  // onMount runs in an effect.
  flushSync()
  let isMounted = true
  const leave = () => {
    if (isMounted) unmount(component)
    isMounted = false
  }
  onTestFinished(() => {
    leave()
    place.remove()
  })
  return { place, leave, text: (selector: string) => place.querySelector(selector)?.textContent ?? '' }
}

function sessionOf(registry: ToolRegistry, ...turns: ConstructorParameters<typeof ScriptedModel>[0]) {
  const store = memoryRunStore()
  const agent = new Agent({
    model: new ScriptedModel(turns),
    toolRegistry: registry,
    confirm: 'pause',
    store,
  })
  return { session: new AgentSession({ agent }), store }
}

test('L08 results and inputs of a page tool pass between $state and the library as copies', async () => {
  const registry = new ToolRegistry()
  const { session, store } = sessionOf(
    registry,
    ScriptedModel.toolCall('add_note', { text: 'bread' }),
    ScriptedModel.toolCall('add_raw', { note: { text: 'milk', done: false } }),
    'done',
  )
  const page = show({ registry, session })
  const { result, status } = await session.send('go')
  expect(status).toBe('idle')
  const [first, second] = result?.steps.map(({ results }) => results[0]) ?? []
  // What the first call gave is as it was then, though the second has changed the state.
  expect(first?.response.data).toEqual([{ text: 'bread', done: false }])
  expect(structuredClone(second?.response.data)).toEqual({
    all: [
      { text: 'bread', done: true },
      { text: 'milk', done: true },
    ],
  })
  await vi.waitFor(() => expect(page.text('ul')).toBe('bread (done)milk (done)'))
  expect(await store.list()).toMatchObject([{ status: 'done' }])
})

test('$session is the snapshot in a component with runes, and the component unsubscribes', async () => {
  const registry = new ToolRegistry()
  registry.register(
    tool({ name: 'publish', description: 'Publish.', needsApproval: true, execute: () => 'ok' }),
  )
  const { session } = sessionOf(registry, ScriptedModel.toolCall('publish'), 'done', 'later')
  const page = show({ registry, session })
  expect(page.text('p')).toBe('idle: 0 messages')
  await session.send('go')
  await vi.waitFor(() => expect(page.text('p')).toBe('paused: 2 messages'))
  page.place.querySelector('button')?.click()
  await vi.waitFor(() => expect(page.text('p')).toBe('idle: 4 messages'))
  page.leave()
  await session.send('more')
  expect(page.text('p')).toBe('')
})

test('L05 a question stays in the session while no component shows it', async () => {
  const registry = new ToolRegistry()
  registry.register(
    tool({ name: 'publish', description: 'Publish.', needsApproval: true, execute: () => 'ok' }),
  )
  const { session } = sessionOf(registry, ScriptedModel.toolCall('publish'), 'done')
  const first = show({ registry, session })
  await session.send('go')
  await vi.waitFor(() => expect(first.text('button')).toBe('publish'))
  first.leave()
  const second = show({ registry, session })
  expect(second.text('button')).toBe('publish')
})

test('L10 a tool is registered once, gone with its component, and there again with the next', () => {
  const registry = new ToolRegistry()
  const { session } = sessionOf(registry)
  const names = () => registry.list().map(({ name }) => name)
  const first = show({ registry, session })
  expect(names()).toEqual(['add_note', 'add_raw'])
  first.leave()
  expect(names()).toEqual([])
  show({ registry, session })
  expect(names()).toEqual(['add_note', 'add_raw'])
})

test('messages of a $state reach the store as copies', async () => {
  const { session, store } = sessionOf(new ToolRegistry(), 'yes')
  const proxied = new Proxy([{ role: 'user' as const, text: 'before' }], {})
  const kept = new AgentSession({ agent: session.agent, messages: proxied })
  expect(await kept.send('now')).toMatchObject({ status: 'idle' })
  expect(await store.list()).toMatchObject([
    { status: 'done', state: { messages: [{ text: 'before' }, {}, {}] } },
  ])
})
