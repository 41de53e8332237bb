import { guardButton } from './approval-guard.ts'
import { makeConfirmElement } from './confirm-element.ts'
import type { ConfirmView, ConfirmViewEvents, ConfirmViewOptions } from './confirm-view.ts'
import { modalPlace } from './modal-place.ts'
import type { PendingList } from './pending-list.ts'

/** What a view is put together from. */
export interface ModalViewParts {
  readonly dialog: HTMLDialogElement
  /** Where the request stands among those that wait. */
  readonly position: HTMLElement
  readonly list: PendingList
  /** The button that must not be pressed by accident. */
  readonly guarded: HTMLElement
  /** What has the focus at first. */
  readonly first: HTMLElement
  /** Beside the dialog's own. */
  readonly styleSheets?: readonly CSSStyleSheet[]
  /** Whether a press of the guarded button counts, as far as these parts know. Time as `event.timeStamp`. */
  mayPressAt(time: number): boolean
  /** The guarded button was pressed on purpose, by a trusted event that is still being handled. */
  pressed(): void
}

/** Makes the view of a dialog of the page's queue: how it comes, goes, and is told of the others. */
export function modalView(
  parts: ModalViewParts,
  options: ConfirmViewOptions,
  events: ConfirmViewEvents,
): ConfirmView {
  const { container, texts } = options
  const { dialog, list, position, guarded, first, styleSheets = [] } = parts
  const element = makeConfirmElement()
  const root = element.shadowRoot
  root?.append(dialog)
  if (root !== null && styleSheets.length > 0) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...styleSheets]
  }
  const place = modalPlace({ element, dialog, button: guarded }, () => events.removed())
  guardButton(
    guarded,
    (time) => parts.mayPressAt(time) && place.seenLongEnoughAt(time),
    () => parts.pressed(),
  )
  let focusInList = false
  return {
    show: ({ enters, picked }) => {
      dialog.classList.toggle('enters', enters)
      list.clear()
      focusInList = picked
      place.show(container)
      first.focus()
    },
    hide: place.hide,
    showQueue: (waiting, ended) => {
      const index = ended + waiting.indexOf(options) + 1
      const total = ended + waiting.length
      position.textContent = total > 1 ? texts.position(index, total) : ''
      list.update(waiting, options)
      if (focusInList) list.focus(options)
      focusInList = false
    },
  }
}
