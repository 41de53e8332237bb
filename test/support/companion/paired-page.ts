import { type CompanionConnectOptions, connectCompanion, memoryTokenStore } from 'offstage/mcp'
import { asPage } from './as-page.ts'

type Connected = Awaited<ReturnType<typeof connectCompanion>>

/** A page that pairs with a companion, and asks nobody before its calls. */
export function pairedPage(link: string, options: CompanionConnectOptions = {}): Promise<Connected> {
  return connectCompanion(link, {
    fetch: asPage(),
    tokenStore: memoryTokenStore(),
    needsApproval: false,
    ...options,
  })
}
