import { type VisibleTime, watchVisibleTime } from './approval-guard.ts'
import type { ConfirmElement } from './confirm-element.ts'

/** A modal dialog that is put on the page, taken off, and perhaps put there again. */
export interface ModalPlace {
  /** @throws whatever the browser throws; nothing stays on the page then. */
  show(container: HTMLElement): void
  hide(): void
  /** Whether it had been seen for long enough at that time, and still is. Time as `event.timeStamp`. */
  seenLongEnoughAt(time: number): boolean
}

/** What is put on the page. */
export interface ModalParts {
  readonly element: ConfirmElement
  readonly dialog: HTMLDialogElement
  /** What must be seen before it counts. */
  readonly button: HTMLElement
}

/** Makes the place; `removed` is called when the dialog goes away by itself while it is on the page. */
export function modalPlace({ element, dialog, button }: ModalParts, removed: () => void): ModalPlace {
  let visible: VisibleTime | undefined
  const hide = () => {
    visible?.stop()
    visible = undefined
    element.removed = undefined
    element.remove()
    // What is off the page is no longer modal, and could not become it again while it counts as open.
    dialog.open = false
  }
  // A script may close the dialog; that is no answer of the person.
  dialog.addEventListener('close', () => visible && removed())
  return {
    show: (container) => {
      element.removed = removed
      container.append(element)
      visible = watchVisibleTime(button, removed)
      try {
        dialog.showModal()
      } catch (error) {
        hide()
        throw error
      }
    },
    hide,
    seenLongEnoughAt: (time) => visible?.longEnoughAt(time) === true,
  }
}
