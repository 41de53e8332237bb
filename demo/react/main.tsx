import { useAgentSession, usePendingApprovals } from 'offstage/react'
import { StrictMode, useRef } from 'react'
import { createRoot } from 'react-dom/client'
import { chatEntries, lastSaid } from '../07-chat/chat-entries.ts'
import { chatKit } from '../07-chat/chat-kit.ts'
import { openers } from '../07-chat/script.ts'
import { allowOwnWorkers } from '../shared/own-workers.ts'
import { Composer } from './composer.tsx'
import { Entry } from './entry.tsx'
import { Notes } from './notes.tsx'

allowOwnWorkers()
const kit = chatKit()

function Chat() {
  const view = useAgentSession(kit.agent, { approvals: kit.approvals })
  const questions = usePendingApprovals(view.session)
  const box = useRef<HTMLTextAreaElement>(null)
  const { session, error } = view
  const entries = chatEntries(view)
  const isRunning = view.status === 'running'
  const waits = questions.length > 0 ? 'The agent waits for you.' : 'The agent works.'
  const thenWrite = (act: () => void) => () => {
    act()
    box.current?.focus()
  }
  const send = (text: string) => !isRunning && void session.send(text)
  return (
    <section className="panel" aria-labelledby="chat">
      <h2 id="chat">Chat</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="chat-scroller follows" tabIndex={0} aria-label="Conversation">
        <ol className="transcript">
          {entries.map((entry) => {
            const question = questions.find(({ callId }) => callId === entry.key)
            const answer = (isYes: boolean) => thenWrite(() => question?.answer(isYes))
            return <Entry key={entry.key} entry={entry} answer={question && answer} />
          })}
        </ol>
      </section>
      {error && (
        <div className="trouble" role="alert">
          <p>{error.message}</p>
          <button type="button" onClick={thenWrite(() => void session.resume())}>
            Try again
          </button>
        </div>
      )}
      <div className="row">
        {openers.map((opener) => (
          <button key={opener} type="button" className="chip" onClick={thenWrite(() => send(opener))}>
            {opener}
          </button>
        ))}
      </div>
      <Composer
        box={box}
        isRunning={isRunning}
        state={isRunning ? waits : ''}
        send={send}
        stop={thenWrite(() => void session.stop())}
      />
      <p className="only-heard" aria-live="polite">
        {isRunning ? '' : lastSaid(entries)}
      </p>
    </section>
  )
}

const page = document.querySelector('main')
if (page !== null) {
  createRoot(page).render(
    <StrictMode>
      <article className="story">
        <h1>A chat in React</h1>
        <p className="lead">
          useAgentSession follows the session, usePendingApprovals gives the questions to one component, and
          useTool gives the model a tool for as long as the notes are on the page.
        </p>
        <Chat />
        <div className="columns">
          <div ref={(place) => place?.replaceChildren(kit.modelPanel)} />
          <Notes registry={kit.registry} />
        </div>
      </article>
    </StrictMode>,
  )
}
