import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ConnectOptions, connectTo } from '../../../support/mcp/connect-to.ts'

const url = 'http://127.0.0.1:4000/mcp'

/** A browser in which this is what comes of a request. */
function browser(answer: (init: RequestInit, headers: string[]) => Response | undefined): typeof fetch {
  return async (_url, init = {}) => {
    const headers = [...new Headers(init.headers).keys()]
    const response = answer(init, headers)
    if (response === undefined) throw new TypeError('Failed to fetch')
    return response
  }
}

const isProbe = ({ credentials }: RequestInit) => credentials === 'omit'
const found = () => new Response(null, { status: 200 })

const origin = 'http://localhost:3000'
beforeEach(() => vi.stubGlobal('origin', origin))
afterEach(() => vi.unstubAllGlobals())

const failure = (fetch: typeof globalThis.fetch, options: ConnectOptions = {}) => {
  vi.stubGlobal('fetch', fetch)
  return connectTo(url, options).catch((error) => error)
}

test('a server that answers nothing at all is unreachable', async () => {
  const error = await failure(browser(() => undefined))
  expect(error).toMatchObject({ code: 'unreachable', mayHaveRun: true })
})

test('a server that does not allow the origin is told from one that is down', async () => {
  const error = await failure(browser(({ mode }) => (mode === 'no-cors' ? found() : undefined)))
  expect(error).toMatchObject({ code: 'cors' })
  expect(error.message).toContain(`Access-Control-Allow-Origin: ${origin}`)
})

test.each(['content-type', 'mcp-protocol-version', 'x-own'])(
  'a header that is not allowed, %s, is named',
  async (missing) => {
    const fetch = browser((init, headers) =>
      isProbe(init) && !headers.includes(missing) ? found() : undefined,
    )
    const headers = () => ({ 'x-own': 'secret', 'mcp-protocol-version': '2025-11-25' })
    const error = await failure(fetch, { headers })
    expect(error).toMatchObject({ code: 'cors', mayHaveRun: false })
    expect(error.message).toMatch(new RegExp(`Access-Control-Allow-Headers: ${missing}"`))
  },
)

test('no request that asks why carries what the app sends', async () => {
  const seen: string[] = []
  const fetch = browser((init) => {
    if (isProbe(init)) seen.push(JSON.stringify([...new Headers(init.headers)]), String(init.body ?? ''))
    return isProbe(init) ? found() : undefined
  })
  await failure(fetch, { headers: () => ({ authorization: 'Bearer secret' }) })
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.join()).not.toContain('secret')
})

test("a fetch of the app is not used to find out why, nor where a redirect leads: it may add the app's secrets", async () => {
  const hidden = Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })
  for (const answer of [undefined, hidden]) {
    const [own, bare] = [vi.fn(browser(() => answer)), vi.fn(browser(() => found()))]
    await failure(bare, { fetch: own })
    expect(own).toHaveBeenCalledOnce()
    expect(bare).toHaveBeenCalled()
    for (const [, init] of bare.mock.calls) expect(init).toMatchObject({ credentials: 'omit' })
  }
})

test('an error of a fetch of the app is told as it is, and nothing else is tried', async () => {
  const bare = vi.fn(browser(() => found()))
  const own = async () => Promise.reject(new Error('switched off'))
  const error = await failure(bare, { fetch: own })
  expect(error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('switched off') })
  expect(bare).not.toHaveBeenCalled()
})

test('an answer without the header, to a server that allows all else, says so', async () => {
  const error = await failure(browser((init) => (isProbe(init) ? found() : undefined)))
  expect(error).toMatchObject({ code: 'cors', message: expect.stringContaining('their own errors') })
})

test('a redirect that a browser hides is an error that names where a request without content came out', async () => {
  const hidden = Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' })
  const shown = Object.defineProperties(new Response(), {
    redirected: { value: true },
    url: { value: 'https://user:pass@elsewhere.test/mcp?token=secret' },
  })
  const error = await failure(browser((init) => (isProbe(init) ? shown : hidden)))
  expect(error).toMatchObject({ code: 'redirect', mayHaveRun: false })
  expect(error.message).toContain('https://elsewhere.test/mcp')
  expect(error.message).not.toMatch(/secret|pass/)
})

test('a policy of the page that refuses the address is named', async () => {
  const place = new EventTarget()
  vi.stubGlobal('addEventListener', place.addEventListener.bind(place))
  vi.stubGlobal('removeEventListener', place.removeEventListener.bind(place))
  const violation = { blockedURI: url, disposition: 'enforce', effectiveDirective: 'connect-src' }
  const fetch = browser(() => {
    setTimeout(() => place.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation)))
    return undefined
  })
  const error = await failure(fetch)
  expect(error).toMatchObject({ code: 'csp', mayHaveRun: false })
  expect(error.message).toContain('connect-src')
})

describe.each(['denied', 'prompt'])('a permission for the local network that is %s', (state) => {
  beforeEach(() => {
    vi.stubGlobal('navigator', { permissions: { query: async () => ({ state }) } })
  })

  test('keeps a page from outside away', async () => {
    vi.stubGlobal('origin', 'https://app.test')
    const error = await failure(browser(() => undefined))
    expect(error).toMatchObject({ code: 'local-network', mayHaveRun: false })
    expect(error.message).toContain('loopback-network')
  })

  test('is nothing to a page from the same network', async () => {
    await expect(failure(browser(() => undefined))).resolves.toMatchObject({ code: 'unreachable' })
  })
})

test('a page on https is told that it may not use http', async () => {
  vi.stubGlobal('origin', 'https://app.test')
  vi.stubGlobal('isSecureContext', true)
  const fetch = browser(() => undefined)
  const error = await connectTo('http://mcp.test/mcp', { fetch }).catch((reason) => reason)
  expect(error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('Use https') })
})
