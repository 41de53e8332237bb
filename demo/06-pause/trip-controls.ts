import { button, element } from '../shared/element.ts'
import { row } from '../shared/panel.ts'
import type { Trip } from './trip.ts'

/** The buttons for the whole trip. */
export interface TripControls {
  readonly element: HTMLElement
  /** Says which of them can be used now. */
  update(trip: Trip | undefined, working: boolean): void
}

/** What the buttons do. */
export interface TripPresses {
  start(): void
  answerAll(): void
  startOver(): void
}

/** Makes the buttons. One that cannot be used now is not disabled, because a disabled button loses the focus. */
export function tripControls(press: TripPresses): TripControls {
  const start = usable('Plan the trip', press.start, { class: 'primary' })
  const answerAll = usable('Answer all', press.answerAll)
  const startOver = usable('Start over', press.startOver)
  const second = element('a', { href: '#pause', target: '_blank' }, 'Open a second tab')
  return {
    element: row(start, answerAll, startOver, second),
    update: (trip, working) => {
      start.ariaDisabled = String(working || trip !== undefined)
      answerAll.ariaDisabled = String(working || trip === undefined || trip.questions.length === 0)
      startOver.ariaDisabled = String(working || trip === undefined || trip.stage === 'running')
    },
  }
}

function usable(label: string, work: () => void, attributes = {}): HTMLButtonElement {
  const press = () => {
    if (made.ariaDisabled !== 'true') work()
  }
  const made = button(label, press, attributes)
  return made
}
