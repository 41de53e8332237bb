import type { ApprovalDecision } from '../execution/decision.ts'
import type { OpenQuestion } from './ask-person.ts'
import { type ConfirmView, makeConfirmView } from './confirm-view.ts'
import { type DialogTexts, dialogTextsEn } from './dialog-texts.ts'
import type { PendingRequest } from './pending-list.ts'

interface Waiting extends OpenQuestion {
  /** What was put in the queue. */
  readonly question: OpenQuestion
  readonly texts: DialogTexts
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

/** Puts a question in the queue, and shows it if no other one is shown. */
export function enterQueue(question: OpenQuestion): void {
  queue.push({ ...question, question, texts: { ...dialogTextsEn, ...question.texts } })
  showNext()
}

/** Takes a question that has ended out of the queue, and shows the next one if it was this that was shown. */
export function leaveQueue(question: OpenQuestion): void {
  const index = queue.findIndex((waiting) => waiting.question === question)
  const [waiting] = index < 0 ? [] : queue.splice(index, 1)
  waiting?.view?.hide()
  if (waiting !== undefined && shown === waiting) {
    shown = undefined
    endedCount += 1
    nextIndex = index
  }
  showNext()
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
  const removed = () => waiting.settle({ approved: false, unanswered: texts.removed })
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
    waiting.view ??= (waiting.makeView ?? makeConfirmView)(waiting, { answered, removed, pick })
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
