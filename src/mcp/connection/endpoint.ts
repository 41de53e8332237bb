import { linkedAbort, onAbort, type Stop, stopped, untilAborted } from '../../tool/abort.ts'
import { errorToData } from '../../tool/error-data.ts'
import { within } from '../../tool/time-limit.ts'
import { cspWatch } from './csp-watch.ts'
import { diagnose } from './diagnosis.ts'
import { type McpConnectionOptions, McpError, type McpErrorCode } from './mcp-connection.ts'
import { type SlotKind, takeSlot } from './origin-slots.ts'
import { reasonOf } from './reason-of.ts'
import { redirectFault } from './redirect-fault.ts'
import { shownUrl } from './shown-url.ts'

/** An answer whose body is still to be read. */
export interface OpenAnswer {
  readonly response: Response
  /** Aborts with {@link close} and with what stops the request. */
  readonly stop: Stop
  /** Lets go of the body and of its connection, whether or not it is over. May be called twice. */
  close(): void
}

export interface OpenOptions {
  readonly kind: SlotKind
  readonly stop: Stop
  /** Called when it has to wait for a connection. */
  readonly waits?: () => void
  /** Called when it leaves. */
  readonly sent?: () => void
  /** Whether a failure is worth requests that find out why. @default true */
  readonly diagnosed?: boolean
}

/** The address of a server, with all that each request to it needs. */
export interface Endpoint {
  readonly url: URL
  /** @throws McpError when nothing answered; the reason of the signal when that was why. */
  open(init: RequestInit, options: OpenOptions): Promise<OpenAnswer>
  close(): void
}

type EndpointOptions = Pick<McpConnectionOptions, 'url' | 'headers' | 'fetch' | 'timeoutMs'>

export function endpointOf(options: EndpointOptions): Endpoint {
  const { url, fetch: given } = options
  const send = given ?? ((...request: Parameters<typeof fetch>) => fetch(...request))
  const watch = cspWatch(url)
  return {
    url,
    close: () => watch.stop(),
    async open(init, { kind, stop, waits, sent, diagnosed = true }) {
      const all = withHeaders(init.headers, await ownHeaders(options, stop))
      const giveBack = await takeSlot(url.origin, kind, stop, waits)
      const link = linkedAbort(undefined)
      const forget = onAbort(stop, () => link.abort(reasonOf(stop)))
      const close = () => {
        forget()
        link.abort(new DOMException('The connection was let go of', 'AbortError'))
        giveBack()
      }
      try {
        const request = { ...init, headers: all, redirect: 'manual', signal: link.signal } as const
        sent?.()
        const response = await settled(send(url, request), link)
        const fault = await redirectFault(response, url, link)
        if (fault !== undefined) throw fault
        return { response, stop: link, close }
      } catch (error) {
        close()
        if (stop.aborted) throw reasonOf(stop)
        if (error instanceof McpError) throw error
        throw await diagnose({ url, cause: error, headers: all, stop, watch, diagnosed })
      }
    },
  }
}

/** Waits for an answer, but not for a `fetch` of the app that does not know its signal. */
async function settled(answer: Promise<Response>, stop: Stop): Promise<Response> {
  const response = await untilAborted(answer, stop)
  if (response !== stopped) return response
  answer
    .then(
      (late) => late.body?.cancel(),
      () => {},
    )
    .catch(() => {})
  throw reasonOf(stop)
}

/** What the app wants to be sent; a function of the app must not hold up what nothing else would end. */
async function ownHeaders(
  { url, headers, timeoutMs }: EndpointOptions,
  stop: Stop,
): Promise<Readonly<Record<string, string>>> {
  if (headers === undefined) return {}
  const fault = (what: string, code: McpErrorCode, cause?: unknown) =>
    new McpError(`The headers for ${shownUrl(url)} ${what}.`, { code, mayHaveRun: false, cause })
  const reading = within<Readonly<Record<string, string>> | typeof stopped>(
    (async () => headers())(),
    timeoutMs,
    stopped,
  )
  const own = await untilAborted(reading, stop).catch((cause) => {
    throw fault(`could not be read: ${errorToData(cause).message}`, 'protocol', cause)
  })
  if (own !== stopped) return own ?? {}
  throw stop.aborted ? reasonOf(stop) : fault(`did not come from the app within ${timeoutMs} ms`, 'timeout')
}

/** The headers of the protocol stand; the app's own are added to them. */
function withHeaders(init: HeadersInit | undefined, own: Readonly<Record<string, string>>): Headers {
  const headers = new Headers(init)
  for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value)
  return headers
}
