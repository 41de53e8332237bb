import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Companion, startCompanion } from 'offstage/companion'
import {
  type CompanionError,
  companionTextsEn,
  companionTextsZh,
  connectCompanion,
  memoryTokenStore,
  type TokenStore,
} from 'offstage/mcp'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { asBrowser } from '../../../support/companion/as-page.ts'
import { pageOrigin } from '../../../support/companion/companion-process.ts'

let companion: Companion

beforeAll(async () => {
  companion = await startCompanion()
})
afterAll(() => companion.close())
afterEach(() => vi.unstubAllGlobals())

const connect = (link: string | URL, tokenStore: TokenStore = memoryTokenStore(), origin = pageOrigin) => {
  vi.stubGlobal('origin', origin)
  return connectCompanion(link, { fetch: asBrowser(origin), tokenStore })
}

const failure = (...given: Parameters<typeof connect>): Promise<CompanionError> =>
  connect(...given).then(
    () => {
      throw new Error('it was connected')
    },
    (error) => error,
  )

describe('connectCompanion', () => {
  it('exchanges the code of a link once, and gives a source of tools', async () => {
    const tokenStore = memoryTokenStore()
    const link = companion.pairingLink()
    const first = await connect(link, tokenStore)
    expect(first).toMatchObject({ url: companion.url, servers: [], status: { state: 'ready' } })
    const names = (await first.list()).map(({ definition, origin }) => [definition.name, origin])
    expect(names).toEqual([
      ['companion_shell', 'mcp:companion'],
      ['companion_web_search', 'mcp:companion'],
    ])
    await first.close()
    // The same tab, loaded anew: the token is there, so the old link is as good as a new one.
    const again = await connect(link, tokenStore)
    expect(again.status.state).toBe('ready')
    await again.close()
    const kept = await tokenStore.get(`offstage companion ${companion.url}`)
    expect(kept).not.toContain(new URL(link).hash.slice('#pair='.length))
  })

  it('says that a link was used, and where a new one comes from', async () => {
    const link = companion.pairingLink()
    await (await connect(link)).close()
    const error = await failure(link)
    expect(error).toMatchObject({ name: 'CompanionError', code: 'link-used' })
    expect(error.message).toContain('Press Enter in the terminal of the companion')
  })

  it('says that a link has expired, and that one is unknown', async () => {
    const short = await startCompanion({ linkLifetimeMs: 1 })
    const link = short.pairingLink()
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await failure(link)).toMatchObject({ code: 'link-expired' })
    expect(await failure(`${short.url}/#pair=AAAAAAAAAAAAAAAAAAAAAA`)).toMatchObject({ code: 'link-unknown' })
    await short.close()
    // Nothing listens there any more.
    const error = await failure(link)
    expect(error).toMatchObject({ code: 'not-running' })
    expect(error.message).toContain(
      `npx offstage-companion --allow git,ls,grep --root . --origin ${pageOrigin}`,
    )
  })

  it('says which --origin to pass when pages of this one are not allowed', async () => {
    const error = await failure(companion.pairingLink(), memoryTokenStore(), 'http://localhost:5174')
    expect(error).toMatchObject({ code: 'origin' })
    expect(error.message).toContain('start it again with --origin http://localhost:5174')
  })

  it('says that the browser keeps the page from this machine', async () => {
    vi.stubGlobal('origin', 'https://app.example')
    vi.stubGlobal('navigator', { permissions: { query: async () => ({ state: 'denied' }) } })
    const refused: typeof fetch = async () => {
      throw new TypeError('Failed to fetch')
    }
    const error = await connectCompanion(companion.pairingLink(), {
      fetch: refused,
      tokenStore: memoryTokenStore(),
    }).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'local-network' })
    expect(error.message).toContain('allow it in the settings of this site')
  })

  it.each([
    '',
    'hello',
    'https://evil.example/#pair=abc',
    'http://evil.example/#pair=abc',
    'http://127.0.0.1.evil.example/#pair=abc',
    'javascript:alert(1)',
    'file:///x#pair=abc',
  ])('takes %j for no link, and asks nobody', async (link) => {
    const asked = vi.fn()
    vi.stubGlobal('origin', pageOrigin)
    const error = await connectCompanion(link, { fetch: asked, tokenStore: memoryTokenStore() }).catch(
      (reason) => reason,
    )
    expect(error).toMatchObject({ code: 'bad-link' })
    expect(asked).not.toHaveBeenCalled()
  })

  it('takes a token that the companion does not know any more for none', async () => {
    const tokenStore = memoryTokenStore()
    const key = `offstage companion ${companion.url}`
    await tokenStore.set(key, JSON.stringify({ token: 'of-an-earlier-one', servers: [] }))
    expect(await failure(companion.url, tokenStore)).toMatchObject({ code: 'link-used' })
    expect(await tokenStore.get(key)).toBeUndefined()
    await tokenStore.set(key, JSON.stringify({ token: 'of-an-earlier-one', servers: [] }))
    const connected = await connect(companion.pairingLink(), tokenStore)
    expect(connected.status.state).toBe('ready')
    await connected.close()
  })

  it('says so when something else answers there', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(404, {
        'access-control-allow-origin': pageOrigin,
        'access-control-allow-headers': 'content-type',
      })
      response.end('<h1>Not found</h1>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    vi.stubGlobal('origin', pageOrigin)
    const error = await connectCompanion(`http://127.0.0.1:${port}/#pair=abc`, {
      tokenStore: memoryTokenStore(),
    }).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'failed', message: expect.stringContaining('it answered 404') })
    server.closeAllConnections()
    server.close()
  })
})

it('every sentence is there in English and Chinese, and each names what it is about', () => {
  const problem = { url: 'URL!', origin: 'ORIGIN!', start: 'START!', reason: 'REASON!' }
  expect(Object.keys(companionTextsZh)).toEqual(Object.keys(companionTextsEn))
  for (const code of Object.keys(companionTextsEn) as (keyof typeof companionTextsEn)[]) {
    const marks = (text: string) => [...new Set(text.match(/[A-Z]+!/g) ?? [])].sort()
    expect([code, marks(companionTextsZh[code](problem))]).toEqual([
      code,
      marks(companionTextsEn[code](problem)),
    ])
  }
})
