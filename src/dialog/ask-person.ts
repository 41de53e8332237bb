import type { ApprovalRequest } from '../execution/approval.ts'
import type { ApprovalDecision } from '../execution/decision.ts'
import { maxTimerMs } from '../tool/abort.ts'
import { errorToData } from '../tool/error-data.ts'
import type { AskingTexts } from './asking-texts.ts'
import type { ConfirmView, ConfirmViewEvents, ConfirmViewOptions } from './confirm-view.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { type LoadedDialog, loadDialog, loadedDialog } from './load-dialog.ts'

/** A question to the person, and how it is asked. */
export interface ConfirmQuestion {
  readonly request: ApprovalRequest
  readonly container: HTMLElement
  /** Those that the app replaces, and those that are needed before the dialog is there. */
  readonly texts: Partial<DialogTexts> & AskingTexts
  /** From now on, in milliseconds; undefined waits for ever. */
  readonly timeoutMs: number | undefined
  /** Makes another dialog than the one that asks whether a tool may run. */
  readonly makeView?: (options: ConfirmViewOptions, events: ConfirmViewEvents) => ConfirmView
}

/** A question that has no answer yet. */
export interface OpenQuestion extends ConfirmQuestion {
  settle(decision: ApprovalDecision): void
  fail(error: unknown): void
}

/**
 * Asks in the dialog of the page, at once if it is there and else as soon as it was fetched, and resolves with the
 * answer. An abort, the timeout, the dialog's removal from the page, and a dialog that cannot be fetched answer the
 * question as not approved and `unanswered`.
 */
export function askPerson(question: ConfirmQuestion): Promise<ApprovalDecision> {
  const { request, texts, timeoutMs } = question
  const { signal } = request
  if (signal.aborted) return Promise.resolve(unanswered(texts.withdrawn))
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let dialog: LoadedDialog | undefined
    let ended = false
    const end = () => {
      ended = true
      signal.removeEventListener('abort', withdraw)
      clearTimeout(timer)
      dialog?.leaveQueue(open)
    }
    const open: OpenQuestion = {
      ...question,
      settle: (decision) => {
        resolve(decision)
        end()
      },
      fail: (error) => {
        reject(error)
        end()
      },
    }
    const withdraw = () => open.settle(unanswered(texts.withdrawn))
    signal.addEventListener('abort', withdraw)
    if (timeoutMs !== undefined && timeoutMs <= maxTimerMs) {
      timer = setTimeout(() => open.settle(unanswered(texts.timedOut(timeoutMs))), timeoutMs)
    }
    const enter = (loaded: LoadedDialog) => {
      if (ended) return
      dialog = loaded
      dialog.enterQueue(open)
    }
    // In the browser's own words: what helps is said in those of the dialog.
    const notLoaded = (error: unknown) =>
      open.settle(unanswered(texts.notLoaded(errorToData(Object(error).cause ?? error).message)))
    const loaded = loadedDialog()
    if (loaded === undefined) loadDialog().then(enter, notLoaded)
    else enter(loaded)
  })
}

function unanswered(why: string): ApprovalDecision {
  return { approved: false, unanswered: why }
}
