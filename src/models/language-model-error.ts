import { ModelError } from './model-error.ts'

/** What the `APICallError` of the AI SDK says, and the errors that its packages find in a stream. */
interface CallError {
  readonly message?: unknown
  readonly url?: string
  readonly statusCode?: number
  readonly isRetryable?: boolean
  readonly responseBody?: string
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/**
 * The library's error for one of a package that says more than its message; any other error as it is, and what is no
 * error as one. The package's own is the `cause`.
 */
export function modelError(thrown: unknown): unknown {
  const {
    message,
    url = '',
    statusCode,
    isRetryable,
    responseBody,
    responseHeaders,
  }: CallError = thrown ?? {}
  // By shape: there is a copy of the class in each package.
  if (statusCode === undefined && isRetryable === undefined) {
    return thrown instanceof Error ? thrown : new Error(textOf(thrown), { cause: thrown })
  }
  return new ModelError(textOf(message), {
    ...{ url: url.replace(/\?.*/s, ''), status: statusCode, body: responseBody, retryable: isRetryable },
    ...{ retryAfterMs: waitAsked(responseHeaders), cause: thrown },
  })
}

function textOf(told: unknown): string {
  if (typeof told === 'string') return told
  const { message } = (told ?? {}) as CallError
  return typeof message === 'string' ? message : JSON.stringify(told)
}

/** `retry-after-ms`, or `retry-after` in seconds (RFC 9110, 10.2.3); the date that it may be is not read. */
function waitAsked(headers: CallError['responseHeaders'] = {}): number | undefined {
  const waitMs = Number(headers['retry-after-ms'] ?? Number(headers['retry-after']) * 1_000)
  return waitMs >= 0 ? waitMs : undefined
}
