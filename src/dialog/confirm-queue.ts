import type { ApprovalDecision, ApprovalRequest } from '../execution/approval.ts'
import { type ConfirmView, openConfirmView } from './confirm-view.ts'
import type { DialogTexts } from './dialog-texts.ts'

/** A question to the person, and how it is asked. */
export interface ConfirmQuestion {
  readonly request: ApprovalRequest
  readonly container: HTMLElement
  readonly texts: DialogTexts
  /** From now on, in milliseconds; undefined waits for ever. */
  readonly timeoutMs: number | undefined
}

interface Waiting extends ConfirmQuestion {
  settle(decision: ApprovalDecision): void
  fail(error: unknown): void
}

/** `setTimeout` takes no more; a longer timeout is none. */
const maxTimerMs = 2_147_483_647

// All handlers of a page share one queue: two modal dialogs at once would hide each other.
const queue: Waiting[] = []
let shown: { readonly waiting: Waiting; readonly view: ConfirmView } | undefined
/** How many requests were shown since the queue was last empty. */
let shownCount = 0
let focusedBefore: Element | null = null

/**
 * Puts a question in the queue and resolves with the answer. An abort, the timeout, and the dialog's
 * removal from the page answer it as not approved and `unanswered`.
 */
export function askPerson(question: ConfirmQuestion): Promise<ApprovalDecision> {
  const { request, texts, timeoutMs } = question
  const { signal } = request
  if (signal.aborted) return Promise.resolve(unanswered(texts.withdrawn))
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = (settlePromise: () => void) => {
      signal.removeEventListener('abort', withdraw)
      clearTimeout(timer)
      leaveQueue(waiting)
      settlePromise()
      showNext()
    }
    const waiting: Waiting = {
      ...question,
      settle: (decision) => end(() => resolve(decision)),
      fail: (error) => end(() => reject(error)),
    }
    const withdraw = () => waiting.settle(unanswered(texts.withdrawn))
    signal.addEventListener('abort', withdraw)
    if (timeoutMs !== undefined && timeoutMs <= maxTimerMs) {
      timer = setTimeout(() => waiting.settle(unanswered(texts.timedOut(timeoutMs))), timeoutMs)
    }
    queue.push(waiting)
    showNext()
  })
}

function unanswered(why: string): ApprovalDecision {
  return { approved: false, unanswered: why }
}

function leaveQueue(waiting: Waiting): void {
  const index = queue.indexOf(waiting)
  if (index >= 0) queue.splice(index, 1)
  if (shown?.waiting === waiting) {
    shown.view.close()
    shown = undefined
  }
}

function showNext(): void {
  const next = queue[0]
  if (shown === undefined && next !== undefined) show(next)
  else if (shown === undefined) restoreFocus()
  showPosition()
}

function show(waiting: Waiting): void {
  const { container, texts } = waiting
  const removed = () => waiting.settle(unanswered(texts.removed))
  if (!container.isConnected) {
    removed()
    return
  }
  if (shownCount === 0) focusedBefore = deepActiveElement()
  try {
    const options = { ...waiting, follows: shownCount > 0 }
    const view = openConfirmView(options, { answered: (decision) => waiting.settle(decision), removed })
    shown = { waiting, view }
    shownCount += 1
  } catch (error) {
    waiting.fail(error)
  }
}

function showPosition(): void {
  if (shown === undefined) return
  const { waiting, view } = shown
  try {
    // The one on the screen is the first of the queue.
    view.showPosition(shownCount, shownCount + queue.length - 1)
  } catch (error) {
    waiting.fail(error)
  }
}

function restoreFocus(): void {
  const before = focusedBefore
  focusedBefore = null
  shownCount = 0
  // Whoever moved the focus elsewhere meanwhile meant it.
  const free = document.activeElement === null || document.activeElement === document.body
  if (free && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
}

function deepActiveElement(): Element | null {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}
