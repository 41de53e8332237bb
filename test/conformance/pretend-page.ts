import { finishAuthorization } from 'offstage/mcp'
import type { Stage } from './play.ts'

const page = 'http://127.0.0.1:1/'
const redirectUrl = `${page}callback`

/**
 * Gives Node what signing in needs of a page: windows in which the authorization server, which agrees at once, leads
 * back to the page of this origin that ends a sign-in.
 */
export function pretendPage(): Stage {
  const kept = new Map<string, string>()
  const open = () => ({
    ...{ opener: globalThis, closed: false, location: { replace: follow } },
    ...{ focus() {}, close() {} },
  })
  Object.assign(globalThis, {
    window: { open, close() {} },
    document: { hasFocus: () => true },
    isSecureContext: true,
    location: new URL(page),
    history: { state: null, replaceState() {} },
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
      key: (index: number) => [...kept.keys()][index] ?? null,
      get length() {
        return kept.size
      },
    },
  })
  return { redirectUrl, inClick: (run) => run() }
}

async function follow(address: string): Promise<void> {
  const { headers } = await fetch(address, { redirect: 'manual' })
  const back = headers.get('location') ?? ''
  if (!back.startsWith(redirectUrl)) throw new Error(`The authorization server leads to "${back}".`)
  const location = new URL(back)
  Object.assign(globalThis, { location })
  // It reads its address before it waits for anything.
  const finished = finishAuthorization()
  Object.assign(globalThis, { location: new URL(page) })
  await finished
}
