import { isRecord } from '../../tool/value-kinds.ts'
import type { TokenStore } from './token-store.ts'

/** A JSON object as it was saved; the SDK's shapes, of which this library reads single fields only. */
export type Saved = Readonly<Record<string, unknown>>

/** What is kept for one server: all but the first by the authorization server (issuer) that it came from. */
export interface Credentials {
  /** What was found out about who gives access to the server. */
  discovery(): Promise<Saved | undefined>
  saveDiscovery(found: Saved): Promise<void>
  /** The tokens of the authorization server that the server names now. */
  tokens(): Promise<Saved | undefined>
  saveTokens(tokens: Saved): Promise<void>
  /** As whom this page is registered at the authorization server that the server names now. */
  client(): Promise<Saved | undefined>
  saveClient(client: Saved): Promise<void>
  forget(what: 'all' | 'client' | 'tokens' | 'discovery'): Promise<void>
}

/** The credentials for a server in a store. A server that turns to another issuer finds nothing of the first one. */
export function credentialsFor(store: TokenStore, server: URL): Credentials {
  const discoveryKey = `offstage-oauth:discovery:${withoutHash(server)}`
  const discovery = (): Promise<Saved | undefined> => read(store, discoveryKey)
  const keyOf = async (kind: 'tokens' | 'client', saved?: Saved): Promise<string | undefined> => {
    const issuer = saved?.issuer ?? (await discovery())?.authorizationServerUrl
    if (typeof issuer !== 'string') return undefined
    return `offstage-oauth:${kind}:${withoutHash(server)} ${issuer.replace(/\/$/, '')}`
  }
  const load = async (kind: 'tokens' | 'client'): Promise<Saved | undefined> => {
    const key = await keyOf(kind)
    return key === undefined ? undefined : read(store, key)
  }
  const save = async (kind: 'tokens' | 'client', saved: Saved): Promise<void> => {
    const key = await keyOf(kind, saved)
    if (key !== undefined) await store.set(key, JSON.stringify(saved))
  }
  const drop = async (key: string | undefined): Promise<void> => {
    if (key !== undefined) await store.delete(key)
  }
  return {
    discovery,
    saveDiscovery: async (found) => store.set(discoveryKey, JSON.stringify(found)),
    tokens: () => load('tokens'),
    saveTokens: (tokens) => save('tokens', tokens),
    client: () => load('client'),
    saveClient: (client) => save('client', client),
    forget: async (what) => {
      if (what === 'all' || what === 'tokens') await drop(await keyOf('tokens'))
      if (what === 'all' || what === 'client') await drop(await keyOf('client'))
      // Last: it says where the others are.
      if (what === 'all' || what === 'discovery') await drop(discoveryKey)
    },
  }
}

async function read(store: TokenStore, key: string): Promise<Saved | undefined> {
  const text = await store.get(key)
  if (text === undefined) return undefined
  try {
    const saved: unknown = JSON.parse(text)
    return isRecord(saved) ? saved : undefined
  } catch {
    // Not ours, or torn: as good as nothing.
    return undefined
  }
}

function withoutHash(server: URL): string {
  return server.href.slice(0, server.href.length - server.hash.length)
}
