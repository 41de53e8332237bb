import { canonicalJson, deepFreeze, isRecord } from '../../tool/json-value.ts'
import type { RawDefinition } from '../definitions/server-tool.ts'

/** The server that pins are of. */
export interface PinnedServer {
  /** What the app calls it. */
  readonly namespace: string
  /** Without query and fragment: they may hold secrets, and do not make it another server. */
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

/** A server by its address: origin and path. */
export function pinnedServer(namespace: string, { origin, pathname }: URL): PinnedServer {
  return { namespace, url: origin + pathname }
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
