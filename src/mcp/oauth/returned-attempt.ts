import { type Attempt, dropAttempt, isOurState, keptAttempts } from './attempt.ts'
import { strangeState } from './read-answer.ts'
import type { SignInPage } from './sign-in-page.ts'

/** An attempt that left the page, and the answer with which the page is back. */
export interface Returned {
  readonly attempt: Attempt
  readonly query: URLSearchParams
}

/**
 * Takes the answer out of the page's address, and the attempt out of the tab: neither can be used again. Undefined when
 * the address holds no answer, or one to somebody else.
 *
 * @param server - Only an answer for this one is taken.
 * @throws AuthorizationError `state-mismatch` for an answer that no attempt of this tab waits for.
 */
export function takeReturned(page: SignInPage, server?: URL): Returned | undefined {
  const { address } = page
  const query = address.searchParams
  const state = query.get('state')
  // The page may have another sign-in, with a state of its own.
  if (!isOurState(state)) return undefined
  const attempt = keptAttempts(page).find((kept) => kept.state === state)
  if (attempt !== undefined && server !== undefined && attempt.server !== server.href) return undefined
  cleanAddress(page)
  if (attempt === undefined) throw strangeState(server?.host)
  dropAttempt(page, attempt)
  return { attempt, query }
}

const answerNames = ['state', 'code', 'error', 'error_description', 'error_uri', 'iss']

function cleanAddress(page: SignInPage): void {
  const { address } = page
  for (const name of answerNames) address.searchParams.delete(name)
  page.showAddress(address)
}
