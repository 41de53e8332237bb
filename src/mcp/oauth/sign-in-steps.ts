import { latePart } from '../../tool/late-part.ts'
import { withQuietZod } from '../connection/quiet-zod.ts'
import type { Attempt } from './attempt.ts'
import type { Credentials, Saved } from './credentials.ts'
import type { Demands } from './demands.ts'
import { readAnswer } from './read-answer.ts'
import { preparingFailed, tradingFailed, uselessAfter } from './sign-in-failure.ts'

/** What the steps of a sign-in have to do with. */
export interface SignInParts {
  readonly server: URL
  readonly credentials: Credentials
  readonly demands: Demands
  /** For the SDK. */
  readonly provider: unknown
  /** Whether the app was registered by hand. */
  readonly isRegistered: boolean
  fetch(): typeof fetch
}

const sdk = latePart(async () => {
  const { prepareSignIn, renewTokens, tradeCode } = await withQuietZod(() => import('./sdk-sign-in.ts'))
  return { prepareSignIn, renewTokens, tradeCode }
})

/**
 * Has the provider begin an attempt.
 *
 * @throws AuthorizationError
 */
export async function prepare({ server, demands, provider, fetch }: SignInParts): Promise<void> {
  try {
    const { prepareSignIn } = await sdk()
    await prepareSignIn(provider, server, demands, fetch())
  } catch (error) {
    throw preparingFailed(error, server)
  }
}

/**
 * Checks the answer to an attempt, and keeps the tokens that its code is good for.
 *
 * @throws AuthorizationError
 */
export async function takeAnswer(
  attempt: Attempt,
  query: URLSearchParams,
  { server, credentials, isRegistered, fetch }: SignInParts,
): Promise<void> {
  try {
    const code = readAnswer(query, attempt)
    const { tradeCode } = await sdk()
    const tokens = await tradeCode(attempt, code, fetch())
    // The attempt may be of an earlier load of this page.
    await credentials.saveDiscovery(attempt.discovery)
    if (!isRegistered) await credentials.saveClient(attempt.client)
    await credentials.saveTokens(tokens)
  } catch (error) {
    if (uselessAfter(error) === 'client') await credentials.forget('client')
    throw tradingFailed(error, server)
  }
}

/** Asks the authorization server for other tokens. */
export async function askForTokens(
  facts: { readonly tokens: Saved; readonly discovery: Saved; readonly client: Saved },
  { fetch }: SignInParts,
): Promise<Saved> {
  const { renewTokens } = await sdk()
  return renewTokens(facts, fetch())
}
