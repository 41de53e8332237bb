import { canonicalJson, deepFreeze } from '../../tool/json-value.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import type { RawDefinition } from '../definitions/server-tool.ts'
import { sha256 } from './sha256.ts'

/** The server that pins are of. */
export interface PinnedServer {
  /** What the app calls it. */
  readonly namespace: string
  /**
   * Origin and path. Of a query only a hash follows, as `?sha256=…`: it may choose the server, and it may hold a secret.
   */
  readonly url: string
}

/** How a tool came to be known. */
export type PinTrust =
  /** It was there when the server was first used: nobody looked at it. */
  | 'first-use'
  /** A person has seen this definition, or its change, and accepted it. */
  | 'person'

/** The definition of one tool that is trusted. */
export interface ToolPin {
  readonly fingerprint: string
  /** For showing what changed. */
  readonly raw: RawDefinition
  /** In milliseconds since the epoch. */
  readonly pinnedAt: number
  readonly trust: PinTrust
}

/** All that is pinned of one server: frozen. */
export interface ServerPins extends PinnedServer {
  /** By the server's own names. */
  readonly tools: ReadonlyMap<string, ToolPin>
}

/** A server by its address. One whose query holds a secret that is renewed is another server each time. */
export function pinnedServer(namespace: string, { origin, pathname, search }: URL): PinnedServer {
  const query = search === '' ? '' : `?sha256=${sha256(search)}`
  return { namespace, url: origin + pathname + query }
}

/** Whether a text is the `url` of a pinned server. */
export function isPinnedUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin, pathname, search } = new URL(text)
  const isHashed = search === '' || /^\?sha256=[0-9a-f]{64}$/.test(search)
  return /^https?:$/.test(protocol) && isHashed && origin + pathname + search === text
}

/** Under which key the pins of a server are kept. A joined text could be the same for two servers. */
export function pinKey({ namespace, url }: PinnedServer): string {
  return canonicalJson([namespace, url])
}

/** Pins as plain data. A list, because an object would make a tool called `__proto__` vanish. */
export interface StoredPins extends PinnedServer {
  readonly tools: readonly (ToolPin & { readonly name: string })[]
}

export function storePins({ namespace, url, tools }: ServerPins): StoredPins {
  return { namespace, url, tools: [...tools].map(([name, pin]) => ({ name, ...pin })) }
}

/** Pins from what was stored, or nothing: what is no pin is left out, so that one bad entry harms no other. */
export function readPins(stored: unknown, server: PinnedServer): ServerPins {
  const list = isRecord(stored) && Array.isArray(stored.tools) ? (stored.tools as readonly unknown[]) : []
  const tools = new Map<string, ToolPin>()
  for (const entry of list) {
    const pin = readPin(entry)
    if (typeof pin !== 'string') tools.set((entry as { readonly name: string }).name, pin)
  }
  return { ...server, tools }
}

/** One stored pin, frozen, or what is wrong with it. */
export function readPin(entry: unknown): ToolPin | string {
  if (!isRecord(entry)) return 'expected an object'
  const { name, fingerprint, raw, pinnedAt, trust } = entry
  if (typeof name !== 'string' || name === '') return 'name: expected a text'
  if (typeof fingerprint !== 'string' || fingerprint === '') return 'fingerprint: expected a text'
  if (typeof pinnedAt !== 'number' || !Number.isFinite(pinnedAt))
    return 'pinnedAt: expected a time in milliseconds'
  if (trust !== 'first-use' && trust !== 'person') return 'trust: expected "first-use" or "person"'
  if (!isRecord(raw) || raw.name !== name) return 'raw: expected the definition of this tool'
  return deepFreeze({ fingerprint, raw: raw as RawDefinition, pinnedAt, trust })
}
