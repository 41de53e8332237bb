import type { PendingCall } from 'offstage'
import { shortJson } from '../shared/code-view.ts'
import { button, element } from '../shared/element.ts'
import { outcomeBadge } from '../shared/result-view.ts'
import type { Trip, TripCall, TripEntry } from './trip.ts'

/** What the person can do on a card of the trip. */
export interface TripActions {
  answer(question: PendingCall): void
  goOn(): void
}

/** The trip as a conversation. */
export interface TripView {
  readonly element: HTMLElement
  /** Shows the trip as it is now. What did not change stays, and a focus that was on what went moves on. */
  show(trip: Trip | undefined): void
}

/** Makes a view; `empty` stands where no trip is. */
export function tripView(empty: HTMLElement, actions: TripActions): TripView {
  const list = element('ol', { class: 'transcript', 'aria-label': 'The trip' })
  const whole = element('div', {}, empty)
  let shown: readonly string[] = []
  const show = (trip: Trip | undefined) => {
    const hadFocus = list.contains(document.activeElement)
    const rows = trip === undefined ? [] : rowsOf(trip)
    const next = rows.map((row) => JSON.stringify(row))
    for (const [index, row] of rows.entries()) {
      if (shown[index] === next[index]) continue
      const [old, made] = [list.children[index], rowView(row, actions)]
      if (old === undefined) list.append(made)
      else old.replaceWith(made)
    }
    while (list.children.length > rows.length) list.lastElementChild?.remove()
    shown = next
    const content = rows.length === 0 ? empty : list
    if (content.parentElement !== whole) whole.replaceChildren(content)
    if (hadFocus && !list.contains(document.activeElement)) moveFocus(list)
  }
  return { element: whole, show }
}

type Row = TripEntry | { readonly brokenOff: true }

function rowsOf({ entries, stage }: Trip): readonly Row[] {
  return stage === 'broken-off' ? [...entries, { brokenOff: true }] : entries
}

function moveFocus(list: HTMLElement): void {
  const next = list.querySelector('button') ?? list.lastElementChild
  if (!(next instanceof HTMLElement)) return
  // Text takes the focus only where it is told to.
  if (next.tabIndex < 0) next.tabIndex = -1
  next.focus()
}

function rowView(row: Row, actions: TripActions): HTMLElement {
  if ('who' in row) {
    return element(
      'li',
      { class: row.who },
      element('span', { class: 'who' }, row.who),
      element('p', {}, row.text),
    )
  }
  return 'brokenOff' in row ? brokenOffCard(actions) : callCard(row, actions)
}

function callCard({ name, input, result, question }: TripCall, actions: TripActions): HTMLElement {
  const card = element(
    'li',
    { class: question === undefined ? 'call-card' : 'call-card waiting', 'data-tool': name },
    element('span', { class: 'call-name' }, name),
    element('code', { class: 'call-input' }, shortJson(input)),
  )
  if (result !== undefined) {
    card.append(
      element('span', { class: 'call-state' }, outcomeBadge(result.outcome)),
      element('p', { class: 'call-text' }, result.text),
    )
  } else if (question === undefined) {
    card.append(element('span', { class: 'call-state' }, 'no result yet'))
  } else {
    const label = question.kind === 'fields' ? 'a question to you' : 'waits for your yes'
    const answer = button('Answer', () => actions.answer(question), { 'aria-label': `Answer ${name}` })
    card.append(
      element('span', { class: 'call-state' }, label),
      element('p', { class: 'call-action' }, answer),
    )
  }
  return card
}

function brokenOffCard(actions: TripActions): HTMLElement {
  return element(
    'li',
    { class: 'call-card waiting' },
    element('p', { class: 'call-text' }, 'The page was closed here, while the agent worked.'),
    element('p', { class: 'call-action' }, button('Go on', actions.goOn)),
  )
}
