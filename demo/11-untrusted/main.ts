import type { AgentEvent } from 'offstage'
import { transcript } from '../05-agent/transcript.ts'
import { codeView } from '../shared/code-view.ts'
import { button, element, workButton } from '../shared/element.ts'
import { columns, emptyState, panel, row, statusLine } from '../shared/panel.ts'
import type { Story } from '../shared/story.ts'
import { pageText } from './attacks.ts'
import { choices } from './choices.ts'
import { makeDinner, question, secondQuestion, trustReason } from './dinner-agent.ts'
import agentSource from './dinner-agent.ts?raw'
import type { Mail } from './dinner-tools.ts'
import toolsSource from './dinner-tools.ts?raw'
import modelSource from './obedient-model.ts?raw'
import { outcomeViews } from './outcome-views.ts'
import { servedView } from './page-views.ts'
import { taintView } from './taint-view.ts'
import { RunWatch } from './verdict.ts'

type Dinner = ReturnType<typeof makeDinner>

/** A page that wants the agent to do something for it. */
export const untrustedStory: Story = {
  id: 'untrusted',
  name: 'Untrusted',
  title: 'A page that gives orders',
  lead: 'You ask for a summary of a page, and the page asks for your notes. The model obeys whoever spoke last, as the worst one would. What it may do is decided by the gate, which knows what was read.',
  open: (page, leaving) => {
    const served = element('div', {})
    const conversation = transcript(emptyState(`You will ask: “${question}”`))
    const views = outcomeViews()
    const outbox = outboxView()
    const status = statusLine('The agent waits for your question.')
    const chosen = choices(() => served.replaceChildren(servedView(pageText(chosen.attack()))))
    served.append(servedView(pageText(chosen.attack())))
    let dinner: Dinner | undefined
    let watch = new RunWatch()
    const observe = (event: AgentEvent) => {
      watch.add(event)
      conversation.add(event)
      if (event.type === 'result' && watch.page === event.result) views.read(event.result.response)
      if (event.type === 'taint-cleared') conversation.insert(clearedItem(event.reason))
    }
    const say = async (text: string, { agent, session }: Dinner) => {
      watch = new RunWatch()
      trusted.textContent = ''
      status.textContent = 'The agent works.'
      const { error, result } = await session.send(text)
      if (leaving.aborted) return
      status.textContent = error?.message ?? views.ended(watch, agent)
      taint.replaceChildren(taintView(result?.taint))
    }
    const ask = async () => {
      await dinner?.session.stop()
      const text = pageText(chosen.attack())
      const { deliver } = outbox
      outbox.clear()
      views.clear()
      dinner = makeDinner({ policy: chosen.policy(), servedPage: () => text, deliver, observe })
      conversation.ask(question)
      await say(question, dinner)
    }
    const goOn = async () => {
      if (dinner === undefined || dinner.session.getSnapshot().messages.length === 0) {
        status.textContent = 'Ask the agent first.'
        return
      }
      if (dinner.session.getSnapshot().status === 'running') return
      conversation.goOn(secondQuestion)
      await say(secondQuestion, dinner)
    }
    const trust = () => {
      const { session } = dinner ?? {}
      if (session === undefined || session.getSnapshot().status === 'running') return
      session.clearTaint(trustReason)
      trusted.textContent = 'The next run begins as if all of it had come from this app.'
    }
    const stop = () => void dinner?.session.stop()
    leaving.addEventListener('abort', stop)
    const taint = element('div', {}, taintView(undefined))
    const trusted = statusLine('')
    page.append(
      panel(
        'The attack',
        chosen.element,
        row(workButton('Ask the agent', ask, { class: 'primary' }), button('Stop', stop)),
        status,
      ),
      element(
        'div',
        { class: 'halves' },
        panel('The page', served),
        panel('What the model saw', views.model),
      ),
      columns(
        panel('The conversation', conversation.element),
        element(
          'div',
          { class: 'notes-side' },
          panel('What happened', views.outcome),
          panel('The outbox', outbox.element),
        ),
      ),
      panel('Why', views.why),
      panel(
        'What the conversation has read',
        taint,
        row(button('I trust what was read', trust), workButton(`Then ask: “${secondQuestion}”`, goOn)),
        trusted,
      ),
      columns(
        panel('The code', codeView(agentSource, 'dinner-agent.ts'), codeView(toolsSource, 'dinner-tools.ts')),
        panel('The model', codeView(modelSource, 'obedient-model.ts')),
      ),
    )
  },
}

function clearedItem(reason: string): HTMLElement {
  return element('li', { class: 'cleared' }, element('span', { class: 'who' }, 'taint cleared'), ` ${reason}`)
}

function outboxView() {
  const list = element('ul', { class: 'outbox', 'aria-label': 'Sent' })
  const empty = emptyState('Nothing was sent.')
  return {
    element: element('div', {}, empty, list),
    deliver: ({ to, subject, body }: Mail) => {
      empty.hidden = true
      list.append(element('li', {}, element('strong', {}, subject), ` to ${to}`, element('p', {}, body)))
    },
    clear: () => {
      empty.hidden = false
      list.replaceChildren()
    },
  }
}
