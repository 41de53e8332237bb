import { AuthorizationError } from './authorization-error.ts'

/**
 * Takes the verifier out of the list that a challenge was made of (S256, RFC 7636 §4.2). Several attempts may begin
 * at once, and nothing else ties the two together.
 *
 * @throws AuthorizationError when there is none.
 */
export async function matchVerifier(challenge: string, verifiers: string[]): Promise<string> {
  for (const verifier of [...verifiers]) {
    if ((await s256(verifier)) !== challenge) continue
    const index = verifiers.indexOf(verifier)
    if (index >= 0) verifiers.splice(index, 1)
    return verifier
  }
  throw new AuthorizationError(
    'bad-answer',
    'The sign-in could not be prepared: its PKCE challenge fits no verifier.',
  )
}

async function s256(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
