import type { ApprovalRequest } from '../execution/approval.ts'
import type { ApprovalDecision } from '../execution/decision.ts'
import { maxTimerMs } from '../tool/abort.ts'
import { type ConfirmView, makeConfirmView } from './confirm-view.ts'
import type { DialogTexts } from './dialog-texts.ts'
import type { PendingRequest } from './pending-list.ts'

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
  /** Kept while another request is shown, with all that the person has written in it. */
  view?: ConfirmView
}

// All handlers of a page share one queue: two modal dialogs at once would hide each other.
const queue: Waiting[] = []
let shown: Waiting | undefined
/** How many requests ended while they were shown, since the queue was last empty. */
let endedCount = 0
/** Where in the queue the last one stood that ended so: the next one has its place now. */
let nextIndex = 0
let isOpen = false
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
  waiting.view?.hide()
  if (shown !== waiting) return
  shown = undefined
  endedCount += 1
  nextIndex = index
}

function showNext(): void {
  const next = queue[nextIndex] ?? queue[0]
  if (shown === undefined && next !== undefined) show(next, false)
  else if (shown === undefined) restoreFocus()
  showQueue()
}

function pick(question: PendingRequest): void {
  const waiting = queue.find((one) => one === question)
  if (waiting === undefined || waiting === shown) return
  shown?.view?.hide()
  shown = undefined
  show(waiting, true)
  showQueue()
}

function show(waiting: Waiting, picked: boolean): void {
  const { container, texts } = waiting
  const removed = () => waiting.settle(unanswered(texts.removed))
  if (!container.isConnected) {
    removed()
    return
  }
  const enters = !isOpen
  if (enters) focusedBefore = deepActiveElement()
  isOpen = true
  shown = waiting
  try {
    const answered = (decision: ApprovalDecision) => waiting.settle(decision)
    waiting.view ??= makeConfirmView(waiting, { answered, removed, pick })
    waiting.view.show({ enters, picked })
  } catch (error) {
    waiting.fail(error)
  }
}

function showQueue(): void {
  const current = shown
  if (current === undefined) return
  try {
    current.view?.showQueue(queue, endedCount)
  } catch (error) {
    current.fail(error)
  }
}

function restoreFocus(): void {
  const before = focusedBefore
  focusedBefore = null
  isOpen = false
  endedCount = 0
  nextIndex = 0
  // Whoever moved the focus elsewhere meanwhile meant it.
  const free = document.activeElement === null || document.activeElement === document.body
  if (free && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
}

function deepActiveElement(): Element | null {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}
