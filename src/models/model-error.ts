import { defined } from '../tool/defined.ts'

/** What {@link ModelError} takes beside its message. */
export interface ModelErrorDetails {
  /** The address that was asked, without its query. */
  readonly url: string
  /** The HTTP status, or the one that an error inside the stream names. */
  readonly status?: number | undefined
  /** What the server said, at most 4,000 characters. */
  readonly body?: string | undefined
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** Set for a failure of the network: it may pass. */
  readonly retryable?: boolean | undefined
  readonly cause?: unknown
}

const passingStatuses = [408, 409, 429]

/**
 * A model that could not be asked, or did not answer. The message says what is wrong and what to do; API keys are in
 * none of its fields. Recognise it by its `name`: an app may hold two copies of the library.
 */
export class ModelError extends Error {
  readonly url: string
  declare readonly status?: number
  declare readonly body?: string
  declare readonly retryAfterMs?: number
  /** Whether the same request may succeed when made again. */
  readonly retryable: boolean

  constructor(message: string, { cause, url, retryable, ...details }: ModelErrorDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ModelError'
    this.url = url
    const { status = 0 } = details
    this.retryable = retryable ?? (passingStatuses.includes(status) || status >= 500)
    Object.assign(this, defined(details))
  }
}
