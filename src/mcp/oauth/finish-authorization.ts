import { sendAnswer } from './answer-channel.ts'
import { AuthorizationError } from './authorization-error.ts'
import { strangeState } from './read-answer.ts'
import { type SignInPage, thisPage } from './sign-in-page.ts'

/** A page that is busy or frozen in the background answers late. */
const takenWithinMs = 5_000

/**
 * To be called by the page at `redirectUrl`, in mode `popup`: hands the answer of the authorization server to the page
 * that began the sign-in, takes it out of the address, and closes the window. It does so over a `BroadcastChannel`,
 * which also works where the other site cut the tie between the two windows.
 *
 * @returns When the answer was taken. A window that the browser does not let a script close stays open: have the page
 * say that it can be closed.
 * @throws AuthorizationError, from the promise, when the address holds no answer, or nobody waits for it. Show its
 * message.
 */
export function finishAuthorization(): Promise<void> {
  return finishOn(thisPage())
}

/** See {@link finishAuthorization}. */
export async function finishOn(page: SignInPage): Promise<void> {
  const { address } = page
  const { search, searchParams } = address
  const state = searchParams.get('state')
  if (state === null) {
    throw new AuthorizationError(
      'bad-answer',
      'The address of this page holds no answer to a sign-in. Authorization servers lead here; nobody else should. Go ' +
        'back to the app and sign in there.',
    )
  }
  // Not for the history, nor for what this page loads.
  address.search = ''
  page.showAddress(address)
  if (!(await sendAnswer(page, state, search, takenWithinMs))) throw strangeState()
  page.closePage()
}
