import { AgentSession, type SessionSnapshot, tool } from 'offstage'
import { codeView } from '../shared/code-view.ts'
import { button, element } from '../shared/element.ts'
import { columns, emptyState, panel, row } from '../shared/panel.ts'
import type { Story } from '../shared/story.ts'
import { addNote } from './add-note.ts'
import { announcer } from './announcer.ts'
import { type ChatKit, chatKit } from './chat-kit.ts'
import { chatList } from './chat-list.ts'
import { composer } from './composer.ts'
import { openers } from './script.ts'

const pageCode = `const approvals = new ApprovalQueue()
const agent = new Agent({
  model: openAICompatible({ baseURL, model, apiKey }),
  tools: [workerTools, restartService, registry.toolset()],
  confirm: approvals.confirm,
})
const session = new AgentSession({ agent, approvals })

session.subscribe(({ status, messages, activity, pending, error }) => draw())
await session.send('Which service fails most?')`

/** A conversation with an agent. */
export const chatStory: Story = {
  id: 'chat',
  name: 'Chat',
  title: 'A chat with an agent',
  lead: 'One session is all that the page follows: words as they come, calls as they are written, wait for you and run in workers. The model is a script, or any server that you name.',
  open: (page, leaving) => {
    const kit = chatKit()
    const session = new AgentSession({ agent: kit.agent, approvals: kit.approvals })
    leaving.addEventListener('abort', () => {
      void session.stop()
      kit.close()
    })
    page.append(
      panel('Chat', ...conversation(session, kit, leaving)),
      columns(kit.modelPanel, notesPanel(kit)),
      panel('The page', codeView(pageCode, 'Without a framework'), otherPages()),
    )
  },
}

function conversation(session: AgentSession, kit: ChatKit, leaving: AbortSignal): HTMLElement[] {
  const voice = announcer()
  const box = composer({
    send: (text) => void session.send(text),
    stop: () => void session.stop(),
  })
  const list = chatList(emptyState('Nothing was said yet.'), kit.resultOf, box.focus)
  const trouble = element('div', { class: 'trouble', role: 'alert' })
  const again = button('Try again', () => {
    box.focus()
    void session.resume()
  })
  const chips = openers.map((text) =>
    button(
      text,
      () => {
        box.focus()
        if (session.getSnapshot().status !== 'running') void session.send(text)
      },
      { class: 'chip' },
    ),
  )
  let shown: Error | undefined
  const draw = (snapshot: SessionSnapshot) => {
    for (const part of [box, voice]) part.follow(snapshot)
    list.update(snapshot)
    if (snapshot.error === shown) return
    shown = snapshot.error
    trouble.replaceChildren(...(shown === undefined ? [] : [element('p', {}, shown.message), again]))
  }
  leaving.addEventListener('abort', session.subscribe(draw))
  tickWhileRunning(session, () => list.update(session.getSnapshot()), leaving)
  return [list.element, trouble, row(...chips), box.element, voice.element]
}

/** How long a call runs changes though nothing happens. */
function tickWhileRunning(session: AgentSession, tick: () => void, leaving: AbortSignal): void {
  const timer = setInterval(() => {
    if (session.getSnapshot().activity.some(({ phase }) => phase === 'running')) tick()
  }, 100)
  leaving.addEventListener('abort', () => clearInterval(timer))
}

/** The tool is registered where its notes are shown, while the page runs. */
function notesPanel({ registry }: ChatKit): HTMLElement {
  const notes = element('ul', { class: 'outbox' })
  const empty = emptyState('The tool add_note of this panel writes here.')
  registry.register(
    tool({
      ...addNote,
      execute: ({ text }) => {
        empty.hidden = true
        notes.append(element('li', {}, text))
        return 'The note is on the page.'
      },
    }),
  )
  return panel('Notes', empty, notes)
}

function otherPages(): HTMLElement {
  const link = (href: string, text: string) => element('a', { href }, text)
  return element(
    'p',
    { class: 'hint' },
    ...['The same chat ', link('./react/', 'in React'), ' and ', link('./svelte/', 'in Svelte'), '.'],
  )
}
