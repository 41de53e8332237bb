import { awaitAnswer } from './answer-channel.ts'
import type { Attempt } from './attempt.ts'
import { AuthorizationError } from './authorization-error.ts'
import type { SignInPage, SignInWindow } from './sign-in-page.ts'

/** An attempt whose answer may come. */
export interface WaitingAttempt {
  /** Settles when the answer was dealt with, or is not waited for any more. */
  readonly done: Promise<void>
  /** Whether the answer has come, and is being dealt with. */
  readonly answered: boolean
  /** Waits no longer. */
  stop(why?: AuthorizationError): void
}

/**
 * Waits for the answer to an attempt, at most so many milliseconds; whoever closes the window may still send one.
 *
 * @param take - Deals with the answer.
 */
export function waitForAnswer(
  page: SignInPage,
  attempt: Attempt,
  timeoutMs: number,
  take: (query: URLSearchParams) => Promise<void>,
): WaitingAttempt {
  let answered = false
  let stop: WaitingAttempt['stop'] = () => {}
  const done = new Promise<void>((resolve, reject) => {
    const channel = awaitAnswer(page, attempt.state, (query) => {
      if (answered) return
      answered = true
      release()
      take(query).then(resolve, reject)
    })
    const timer = setTimeout(() => stop(timedOut(attempt, timeoutMs)), timeoutMs)
    const release = (): void => {
      clearTimeout(timer)
      channel.close()
    }
    stop = (why) => {
      release()
      if (why === undefined) resolve()
      else reject(why)
    }
  })
  // Whoever wanted it may have given up; then nobody else hears of a failure.
  done.catch(() => {})
  return {
    done,
    get answered() {
      return answered
    },
    stop: (why) => stop(why),
  }
}

const lookEveryMs = 250
/** The answer and the closing of the window come in any order. */
const graceMs = 1_500

/**
 * Calls `onClosed` when a window was closed by the person. Some sites cut the tie to this page, and then it looks
 * closed at once: it counts only while the person is back on this page. Returns the way to stop that.
 */
export function watchClosing(page: SignInPage, shown: SignInWindow, onClosed: () => void): () => void {
  let closedMs = 0
  const timer = setInterval(() => {
    closedMs = shown.closed && page.hasFocus() ? closedMs + lookEveryMs : 0
    if (closedMs < graceMs) return
    clearInterval(timer)
    onClosed()
  }, lookEveryMs)
  return () => clearInterval(timer)
}

function timedOut({ server }: Attempt, timeoutMs: number): AuthorizationError {
  return new AuthorizationError(
    'timeout',
    `Nobody finished signing in to ${new URL(server).host} within ${timeoutMs} ms. Sign in again. If it was finished, ` +
      'look whether the page at `redirectUrl` calls `finishAuthorization()`, and is opened at top level on this origin.',
  )
}
