import type { Agent, ToolResponse } from 'offstage'
import { element } from '../shared/element.ts'
import { emptyState } from '../shared/panel.ts'
import { explainTable } from './explain-table.ts'
import { fenceAccount, readView } from './page-views.ts'
import { type RunWatch, verdictView } from './verdict.ts'

/** What is told of a run, in three places. */
export interface OutcomeViews {
  /** What the model has read of the page. */
  readonly model: HTMLElement
  /** What came of the order. */
  readonly outcome: HTMLElement
  /** What each stage of the gate said. */
  readonly why: HTMLElement
  clear(): void
  /** The page was read. */
  read(response: ToolResponse): void
  /** The run is over; gives what came of it, in words. */
  ended(watch: RunWatch, agent: Agent): string
}

/** Makes the places, empty. */
export function outcomeViews(): OutcomeViews {
  const model = element('div', { class: 'seen' })
  const outcome = element('div', {})
  const why = element('div', {})
  const clear = () => {
    model.replaceChildren(emptyState('The model has read nothing yet.'))
    outcome.replaceChildren(emptyState('Nothing yet.'))
    why.replaceChildren(emptyState('What each stage of the gate says of the call will be here.'))
  }
  clear()
  return {
    ...{ model, outcome, why, clear },
    read: (response) => model.replaceChildren(readView(response.text), fenceAccount(response)),
    ended: (watch, agent) => {
      const verdict = watch.verdict()
      outcome.replaceChildren(verdictView(verdict))
      const call = watch.mail?.call ?? watch.page?.call
      const answers = call && agent.explain(call.id)
      if (answers !== undefined) why.replaceChildren(explainTable(call?.name ?? '', answers))
      return `${verdict.short}. ${verdict.words}`
    },
  }
}
