import { Agent, AgentSession, ApprovalQueue, tool, withoutFence } from 'offstage'
import { useAgentSession, usePendingApprovals } from 'offstage/react'
import { ScriptedModel } from 'offstage/testing'
import { createElement, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from './render.ts'

const publish = (ran: string[]) =>
  tool({
    name: 'publish',
    description: 'Publish it.',
    needsApproval: true,
    execute: () => {
      ran.push('published')
      return 'published'
    },
  })

type View = ReturnType<typeof useAgentSession>

/** Shows how the session stands and what was said last; `seen` gets each render. */
const Chat = ({ source, seen }: { source: Agent | AgentSession; seen?: (view: View) => void }) => {
  const view = useAgentSession(source)
  seen?.(view)
  return createElement('p', null, `${view.status}: ${lastText(view)}`)
}

function lastText({ messages }: View): string {
  const last = messages.at(-1)
  return last === undefined || last.role === 'tool' ? '' : last.text
}

test('L01 a session that a component makes is open after StrictMode has mounted it twice', async () => {
  const agent = new Agent({ model: new ScriptedModel(['hello there']) })
  const seen = vi.fn<(view: View) => void>()
  const page = show(Chat, { source: agent, seen })
  await vi.waitFor(() => expect(page.text()).toBe('idle: '))
  expect(await seen.mock.lastCall?.[0].session.send('hi')).toMatchObject({ status: 'idle' })
  await vi.waitFor(() => expect(page.text()).toBe('idle: hello there'))
})

test('a thousand pieces of text are few renders', async () => {
  const words = Array.from({ length: 1_000 }, (_, index) => `${index}`).join(' ')
  const session = new AgentSession({ agent: new Agent({ model: new ScriptedModel([words]) }) })
  const seen = vi.fn<(view: View) => void>()
  const page = show(Chat, { source: session, seen })
  const start = performance.now()
  await session.send('go')
  await vi.waitFor(() => expect(page.text()).toBe(`idle: ${words}`))
  // StrictMode renders each twice.
  expect(seen.mock.calls.length).toBeLessThan(20 + (2 * (performance.now() - start)) / 16)
})

test('L11 a component that is gone stops the run of its own session, and nobody else’s', async () => {
  const signals: AbortSignal[] = []
  const model = {
    name: 'silent',
    stream: async function* ({ signal }: { signal: AbortSignal }) {
      signals.push(signal)
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  const agent = new Agent({ model })
  const kept = new AgentSession({ agent })
  const seen = vi.fn<(view: View) => void>()
  const pages = [show(Chat, { source: agent, seen }), show(Chat, { source: kept })]
  await vi.waitFor(() => expect(pages.map((page) => page.text())).toEqual(['idle: ', 'idle: ']))
  const ended = seen.mock.lastCall?.[0].session.send('go')
  const others = kept.send('go')
  await vi.waitFor(() => expect(signals).toHaveLength(2))
  await vi.waitFor(() => expect(pages.map((page) => page.text())).toEqual(['running: go', 'running: go']))
  const renders = seen.mock.calls.length
  for (const page of pages) page.unmount()
  expect(await ended).toMatchObject({ status: 'idle' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  await kept.stop()
  await others
  expect(seen.mock.calls.length).toBe(renders)
})

test('L11 another agent begins another session, and what the older one still does is not shown', async () => {
  let finish = () => {}
  const late = {
    name: 'late',
    stream: async function* () {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      yield { type: 'text-delta' as const, text: 'from the older one' }
      yield { type: 'finish' as const, reason: 'stop' as const }
    },
  }
  const older = new AgentSession({ agent: new Agent({ model: late }) })
  const newer = new Agent({ model: new ScriptedModel(['from the newer one']) })
  const seen = vi.fn<(view: View) => void>()
  const page = show(Chat, { source: older as Agent | AgentSession, seen })
  const session = () => seen.mock.lastCall?.[0].session
  await vi.waitFor(() => expect(session()).toBe(older))
  const first = older.send('one')
  await vi.waitFor(() => expect(page.text()).toBe('running: one'))
  page.render({ source: newer, seen })
  await vi.waitFor(() => expect(session()).not.toBe(older))
  await session()?.send('two')
  finish()
  expect(await first).toMatchObject({ status: 'idle' })
  await vi.waitFor(() => expect(page.text()).toBe('idle: from the newer one'))
})

const Ask = ({ source, name }: { source: AgentSession | ApprovalQueue; name: string }) => {
  const questions = usePendingApprovals(source)
  return createElement(
    'section',
    null,
    ...questions.map((question) =>
      createElement(
        'button',
        { key: question.callId, type: 'button', onClick: () => question.answer(true) },
        `${name} asks: ${question.toolName} `,
      ),
    ),
  )
}

/** Two places for the questions, which come and go. */
let routes: { setPlaces: (places: readonly string[]) => void }
const App = ({ source }: { source: AgentSession | ApprovalQueue }) => {
  const [places, setPlaces] = useState<readonly string[]>(['first'])
  routes = { setPlaces }
  return createElement('main', null, ...places.map((name) => createElement(Ask, { key: name, name, source })))
}

test.each(['a queue', 'a paused run'])(
  'L05 the question of %s stays when the component that shows it goes, two hosts do not show it twice',
  async (kind) => {
    const ran: string[] = []
    const approvals = new ApprovalQueue()
    const confirm = kind === 'a queue' ? approvals.confirm : 'pause'
    const model = new ScriptedModel([ScriptedModel.toolCall('publish'), 'done'])
    const session = new AgentSession({
      agent: new Agent({ model, tools: [publish(ran)], confirm }),
      approvals,
    })
    const page = show(App, { source: kind === 'a queue' ? approvals : session })
    void session.send('go')
    await vi.waitFor(() => expect(page.text()).toBe('first asks: publish '))
    routes.setPlaces([])
    await vi.waitFor(() => expect(page.text()).toBe(''))
    routes.setPlaces(['second', 'third'])
    await vi.waitFor(() => expect(page.text()).toBe('second asks: publish '))
    routes.setPlaces(['third'])
    await vi.waitFor(() => expect(page.text()).toBe('third asks: publish '))
    const button = document.querySelector('main button') as HTMLButtonElement
    button.click()
    button.click()
    await vi.waitFor(() => expect(session.getSnapshot().status).toBe('idle'))
    expect(page.text()).toBe('')
    expect(ran).toEqual(['published'])
  },
)

/** Shows the results of calls, as a person reads them. */
const Results = ({ session }: { session: AgentSession }) => {
  const { messages } = useAgentSession(session)
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  return createElement('p', null, results.map(({ text }) => withoutFence(text)).join(' | '))
}

test('a component draws what came from outside without its fence, in which the model reads it', async () => {
  const weather = tool({ name: 'weather', description: 'W.', externalContent: true, execute: () => 'Sunny.' })
  const model = new ScriptedModel([ScriptedModel.toolCall('weather'), 'It is fine.'])
  const session = new AgentSession({ agent: new Agent({ model, tools: [weather] }) })
  const page = show(Results, { session })
  const { messages } = await session.send('go')
  await vi.waitFor(() => expect(page.text()).toBe('Sunny.'))
  expect(messages.at(-2)).toMatchObject({ results: [{ text: expect.stringMatching(/^<<outside /) }] })
})
