import type { AgentEvent, ExecutionEvent } from 'offstage'
import { shortJson } from './code-view.ts'
import { element } from './element.ts'
import { whereItRan } from './result-view.ts'
import { countText, now } from './time-text.ts'

type DemoEvent = ExecutionEvent | AgentEvent

/** A list of events, each with its time since the first one, or since `restart`. */
export interface EventLog {
  readonly element: HTMLElement
  add(event: DemoEvent): void
  restart(): void
}

/**
 * Makes an event log. It is not announced to screen readers line by line: the status line says what matters.
 *
 * @param place - Where calls run that run in no worker.
 */
export function eventLog(label: string, place = 'on the page'): EventLog {
  const list = element('ol', { class: 'events', 'aria-label': label, tabindex: '0' })
  let startedAt: number | undefined
  const restart = () => {
    startedAt = now()
    list.replaceChildren()
  }
  const add = (event: DemoEvent) => {
    startedAt ??= event.at
    const last = list.lastElementChild
    // A model's words come one by one; a line for each would hide the rest.
    if (event.type === 'text-delta' && last?.getAttribute('data-event') === 'text-delta') {
      last.lastElementChild?.append(event.text)
      return
    }
    const time = `+${countText(Math.max(0, Math.round(event.at - startedAt)))} ms`
    list.append(
      element(
        'li',
        { 'data-event': event.type },
        element('span', { class: 'event-time' }, time),
        element('span', { class: 'event-type' }, event.type),
        element('span', { class: 'event-words' }, words(event, place)),
      ),
    )
  }
  return { element: list, add, restart }
}

function words(event: DemoEvent, place: string): string {
  switch (event.type) {
    case 'step-start':
      return `step ${event.step}; tools offered: ${event.tools.join(', ')}`
    case 'step-end':
      return `step ${event.step}; ${event.results.length} results in call order`
    case 'run-start':
      return event.resumed ? `${event.agent} goes on` : `${event.agent} starts`
    case 'text-delta':
    case 'reasoning-delta':
      return event.text
    case 'call-input-delta':
      return `${event.name} ${event.text}`
    case 'file':
      return event.file.mediaType
    case 'paused':
      return `${event.result.pending.length} calls wait for an answer`
    case 'done':
      return `${event.result.status}, ${event.result.finishReason}`
    case 'taint-cleared':
      return event.reason
    case 'error':
    case 'failed':
      return String(event.error)
    default:
      return callWords(event, place)
  }
}

function callWords(event: Exclude<ExecutionEvent, { type: 'error' }>, place: string): string {
  switch (event.type) {
    case 'call':
      return `${event.call.name} ${shortJson(event.call.input)}`
    case 'approval-requested':
      return [event.request.toolName, ...event.request.reasons].join(': ')
    case 'approval-answered':
      return [event.approved ? 'approved' : 'not approved', ...(event.reason ? [event.reason] : [])].join(
        ': ',
      )
    case 'call-started':
      return event.lane === undefined ? place : `in a worker (${event.lane})`
    case 'progress':
      return shortJson(event.value)
    case 'log':
      return event.entry.message
    case 'result':
      return `${event.result.outcome}. ${whereItRan(event.result)}`
  }
}
