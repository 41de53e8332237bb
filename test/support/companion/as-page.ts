import { request as httpRequest } from 'node:http'
import { pageOrigin } from './companion-process.ts'

/** `fetch` as a page of an origin has it. */
export function asPage(origin: string = pageOrigin): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', origin)
    return fetch(input, { ...init, headers })
  }
}

/** `fetch` as a browser gives it to a page: what the server does not allow the page's origin fails without a reason. */
export function asBrowser(origin: string = pageOrigin): typeof fetch {
  const allows = (answer: Response) => answer.headers.get('access-control-allow-origin') === origin
  return async (input, init) => {
    // Requests without CORS, of methods that need none, carry no Origin.
    if (init?.mode === 'no-cors') return fetch(input, init)
    const preflight = await asPage(origin)(input, { method: 'OPTIONS' })
    const answer = preflight.ok && allows(preflight) ? await asPage(origin)(input, init) : undefined
    if (answer === undefined || !allows(answer)) throw new TypeError('Failed to fetch')
    return answer
  }
}

/** What came back of a request. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** What is sent, with any header that a browser would not let a page choose. */
export interface RawRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request as it is written. */
export function sendRaw(
  port: number,
  { method = 'POST', path, headers, body }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (piece) => (text += piece))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
