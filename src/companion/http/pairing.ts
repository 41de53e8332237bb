import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Refusal } from './answer.ts'

/** More wrong codes than this, and the code that waits is taken back. */
const maxWrongCodes = 5
/** So long nobody is paired after that, in milliseconds. */
const lockMs = 60_000
/** So many tokens of one origin are valid at once; the oldest ends first. */
const maxTokens = 20

interface Code {
  readonly digest: Buffer
  readonly expiresAt: number
  used: boolean
}

/**
 * Gives tokens to pages: a code that a person carries from the terminal to the page is exchanged for a token, once, and
 * for the origin of that page only. Kept are digests; what a core dump or a log could hold opens nothing.
 */
export class Pairing {
  readonly #lifetimeMs: number
  readonly #codes: Code[] = []
  readonly #tokens = new Map<string, Buffer[]>()
  #wrong = 0
  #lockedUntil = 0

  /** @param lifetimeMs - Of a code, in milliseconds. */
  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs
  }

  /** A new code: 128 random bits. Codes of before that nobody has used end with it. */
  newCode(): string {
    const code = randomBytes(16).toString('base64url')
    for (const old of this.#codes) old.used = true
    this.#codes.push({ digest: digestOf(code), expiresAt: Date.now() + this.#lifetimeMs, used: false })
    // What is older is as good as wrong.
    if (this.#codes.length > 20) this.#codes.shift()
    this.#wrong = 0
    return code
  }

  /** A token for the page that brings the code, or why there is none. */
  exchange(code: unknown, origin: string): { readonly token: string } | Refusal {
    const now = Date.now()
    if (now < this.#lockedUntil) return tooManyTries
    const given = digestOf(typeof code === 'string' ? code : '')
    const found = this.#codes.filter(({ digest }) => timingSafeEqual(digest, given))[0]
    if (found === undefined) return this.#wrongCode(now)
    if (found.used)
      return refusal('code-used', 'This pairing link was used already, or a newer one took its place.')
    if (now >= found.expiresAt) return refusal('code-expired', 'This pairing link has expired.')
    found.used = true
    this.#wrong = 0
    const token = randomBytes(32).toString('base64url')
    const tokens = [...(this.#tokens.get(origin) ?? []), digestOf(token)]
    this.#tokens.set(origin, tokens.slice(-maxTokens))
    return { token }
  }

  /** Whether a token was given to this origin. */
  knows(token: string, origin: string): boolean {
    const given = digestOf(token)
    let known = false
    // All are looked at, so that the time tells nothing.
    for (const digest of this.#tokens.get(origin) ?? []) known = timingSafeEqual(digest, given) || known
    return known
  }

  #wrongCode(now: number): Refusal {
    this.#wrong += 1
    if (this.#wrong < maxWrongCodes)
      return refusal('code-wrong', 'This pairing link is not one of this companion.')
    for (const code of this.#codes) code.used = true
    this.#wrong = 0
    this.#lockedUntil = now + lockMs
    return tooManyTries
  }
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function refusal(code: Refusal['code'], message: string): Refusal {
  return { status: 403, code, message: `${message} Press Enter in its terminal for a new link.` }
}

const tooManyTries: Refusal = {
  status: 429,
  code: 'too-many-tries',
  message:
    'Too many wrong pairing codes were tried, so the link was taken back. Wait a minute, and press Enter in the ' +
    "companion's terminal for a new one.",
}
