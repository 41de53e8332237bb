import { codeView, jsonText } from '../shared/code-view.ts'
import { element } from '../shared/element.ts'
import { emptyState } from '../shared/panel.ts'
import { bookings } from './bookings.ts'
import type { Trip } from './trip.ts'

/** What the trip left: in the store, and in the world. */
export interface TripPapers {
  readonly stored: HTMLElement
  readonly booked: HTMLElement
  update(trip: Trip | undefined): void
}

/** Makes papers on which nothing is written yet. */
export function tripPapers(): TripPapers {
  const stored = element('div', { class: 'stored' })
  const booked = element('div')
  let written = ''
  const showStored = (text: string) => {
    if (text === written && stored.hasChildNodes()) return
    const hadFocus = stored.contains(document.activeElement)
    written = text
    stored.replaceChildren(
      text === '' ? emptyState('No run is stored.') : codeView(text, 'The run, as IndexedDB has it'),
    )
    if (hadFocus) stored.querySelector('pre')?.focus()
  }
  const update = (trip: Trip | undefined) => {
    showStored(trip === undefined ? '' : jsonText(trip.stored))
    const items = bookings().map(({ reference, what }) =>
      element('li', {}, element('strong', {}, reference), ` ${what}`),
    )
    booked.replaceChildren(
      items.length === 0 ? emptyState('Nothing is booked.') : element('ul', { class: 'outbox' }, ...items),
    )
  }
  update(undefined)
  return { stored, booked, update }
}
