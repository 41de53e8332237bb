import { isRecord } from '../../tool/value-kinds.ts'
import type { Saved } from './credentials.ts'
import type { SignInPage } from './sign-in-page.ts'

/** One try to get a person's permission: all that is needed to trade the answer for tokens. Holds secrets. */
export interface Attempt {
  /** Ties the answer to this attempt. Not to be guessed. */
  readonly state: string
  /** PKCE (RFC 7636): shows that who brings the code is who asked for it. */
  readonly verifier: string
  /** Where the person gives the permission. */
  readonly address: string
  /** The server that access is wanted to. */
  readonly server: string
  /** As it was when the attempt began: the answer is not taken to anybody else. */
  readonly discovery: Saved
  readonly client: Saved
  /** By the clock of the page, in milliseconds. */
  readonly startedAtMs: number
}

/** Tells answers to this library from those to another sign-in of the same page. */
const mark = 'offstage.'

/** A new `state`: 192 random bits. */
export function newState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return (
    mark +
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
  )
}

/** Whether a `state` was made here, by its looks. */
export function isOurState(state: string | null): boolean {
  return state?.startsWith(mark) ?? false
}

const prefix = 'offstage-oauth:attempt:'
/** An attempt that nobody came back from. */
const staleMs = 3_600_000

/** Keeps an attempt for when the page is back. Attempts that nobody came back from for an hour are deleted. */
export function keepAttempt(page: SignInPage, attempt: Attempt): void {
  for (const old of keptAttempts(page)) {
    if (Date.now() - old.startedAtMs > staleMs) dropAttempt(page, old)
  }
  page.storage.setItem(prefix + attempt.state, JSON.stringify(attempt))
}

/** The attempts that wait for the page to be back. */
export function keptAttempts(page: SignInPage): Attempt[] {
  const keys = Array.from({ length: page.storage.length }, (_, index) => page.storage.key(index))
  return keys.flatMap((key) => {
    if (!key?.startsWith(prefix)) return []
    const attempt = readAttempt(page.storage.getItem(key))
    return attempt === undefined ? [] : [attempt]
  })
}

/** Forgets an attempt: its answer is no longer taken. */
export function dropAttempt(page: SignInPage, { state }: Attempt): void {
  page.storage.removeItem(prefix + state)
}

const texts = ['state', 'verifier', 'address', 'server'] as const

function readAttempt(text: string | null): Attempt | undefined {
  try {
    const kept: unknown = JSON.parse(text ?? '')
    if (!isRecord(kept) || !isRecord(kept.discovery) || !isRecord(kept.client)) return undefined
    const whole =
      texts.every((name) => typeof kept[name] === 'string') && typeof kept.startedAtMs === 'number'
    // All of its fields were looked at.
    return whole ? (kept as unknown as Attempt) : undefined
  } catch {
    return undefined
  }
}
