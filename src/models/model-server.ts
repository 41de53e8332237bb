import { isObject, isRecord } from '../tool/value-kinds.ts'
import { ModelError, type ModelErrorDetails } from './model-error.ts'

const maxBodyChars = 4_000
const maxMessageChars = 500

/** Whom a request goes to: what its errors are made of. */
export interface ModelServer {
  readonly model: string
  /** With its query. */
  readonly url: string
  /** Keys that no error may show. */
  readonly secrets: readonly string[]
}

/** An error with the server's address and without its keys. */
export function serverError(
  server: ModelServer,
  message: string,
  details: Omit<ModelErrorDetails, 'url'> = {},
): ModelError {
  const body = details.body && hidden(details.body, server).slice(0, maxBodyChars)
  return new ModelError(hidden(message, server), { ...details, body, url: shownUrl(server) })
}

/** The error for an answer with a status that says that there is none. */
export async function httpError(server: ModelServer, response: Response): Promise<ModelError> {
  const { status, headers } = response
  const body = await response.text().catch(() => '')
  const said = hidden(messageIn(readJson(body)) ?? body, server).trim()
  const message = `${shownUrl(server)} answered ${status}${said && `: ${said.slice(0, maxMessageChars)}`}`
  const retryAfterMs = waitAsked(headers)
  return serverError(server, `${sentence(message)}${hint(server, status, retryAfterMs)}`, {
    ...{ status, body, retryAfterMs },
  })
}

/** The error for an answer that breaks off. */
export function brokenError(server: ModelServer, cause: unknown): ModelError {
  const message = sentence(`The answer of ${shownUrl(server)} broke off: ${reasonOf(cause)}`)
  return serverError(server, message, { retryable: true, cause })
}

/** The error for a request that nobody answered. */
export function networkError(server: ModelServer, cause: unknown): ModelError {
  const message = sentence(`No answer from ${shownUrl(server)}: ${reasonOf(cause)}`)
  // A page is told nothing about what the server lacks.
  const cors =
    'document' in globalThis || 'importScripts' in globalThis
      ? ' and that it allows requests from this page (CORS): Ollama needs OLLAMA_ORIGINS, LM Studio "Enable CORS"'
      : ''
  return serverError(server, `${message} Check that the server runs at this address${cors}.`, {
    ...{ retryable: true, cause },
  })
}

/** The text of an error, where servers put it. */
export function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!isRecord(value)) return undefined
  const { error, message, detail } = value
  return (
    messageIn(error) ??
    messageIn(message) ??
    messageIn(detail) ??
    (isObject(detail) ? JSON.stringify(detail) : undefined)
  )
}

/** The value of JSON text; undefined when it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function hint({ model }: ModelServer, status: number, retryAfterMs: number | undefined): string {
  if (status === 401 || status === 403) return ' Check apiKey.'
  if (status === 404) return ` Check baseURL, which often ends in /v1, and that the server has "${model}".`
  if (status !== 429) return ''
  return retryAfterMs === undefined
    ? ' Wait, or check the limits of the account.'
    : ` Wait ${retryAfterMs} ms.`
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date (RFC 9110, 10.2.3). */
function waitAsked(headers: Headers): number | undefined {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (ms >= 0) return ms
  const after = headers.get('retry-after') ?? ''
  const seconds = Number(after || Number.NaN)
  if (seconds >= 0) return seconds * 1000
  const date = Date.parse(after)
  return date >= 0 ? Math.max(0, date - Date.now()) : undefined
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

/** The address without its query, which may hold a key. */
export function shownUrl({ url }: ModelServer): string {
  return url.replace(/\?.*/s, '')
}

function hidden(text: string, { secrets }: ModelServer): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}
