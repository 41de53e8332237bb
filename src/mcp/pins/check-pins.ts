import { deepFreeze } from '../../tool/json-value.ts'
import type { RawDefinition, ServerTool } from '../definitions/server-tool.ts'
import type { PinStore } from './pin-store.ts'
import { type PinTexts, pinTextsEn } from './pin-texts.ts'
import type { PinnedServer, PinTrust, ServerPins, ToolPin } from './server-pins.ts'

/** What pins look at of a tool. */
export type PinnableTool = Pick<ServerTool, 'originalName' | 'fingerprint' | 'raw'>

/**
 * How a tool's definition compares with the pinned one. Trust on first use pins all tools of a list when it is read,
 * whether they are called or not: a tool that was never called and changes has drifted, too.
 */
export type PinState =
  /** There was none when this client first read it: it is pinned now. It stays `new` as long as the client lives. */
  | { readonly state: 'new'; readonly trust: 'first-use' }
  /** It is the one that was pinned before this client, or that a person has accepted. */
  | { readonly state: 'pinned'; readonly trust: PinTrust; readonly pinnedAt: number }
  /** It is another one now: the tool must not run until a person has accepted it. */
  | {
      readonly state: 'drifted'
      readonly before: RawDefinition
      readonly after: RawDefinition
      readonly pinnedAt: number
    }

/** What a check found. */
export interface PinCheck {
  /** By the server's own names. */
  readonly states: ReadonlyMap<string, PinState>
  /** For a person: why pins are not kept, or not all of them. */
  readonly note?: string
}

/** A server that invents names for ever must not fill the storage. */
const maxPins = 1024

/**
 * Compares a server's tools with what is pinned, and pins those that were never there (trust on first use). A
 * pin stays when its tool goes away: one that comes back as something else has drifted.
 *
 * A yes of a person never carries over to a changed tool, not even after the change was accepted: grants are
 * bound to the fingerprint of the tool's definition, and {@link ServerTool.fingerprint} is a part of that, as
 * its `version`.
 */
export async function checkPins(
  store: PinStore,
  server: PinnedServer,
  tools: readonly PinnableTool[],
  now: number = Date.now(),
  texts: PinTexts = pinTextsEn,
): Promise<PinCheck> {
  const before = await store.get(server)
  let added: ReadonlySet<string> = new Set()
  const pins = tools.every(({ originalName }) => before.tools.has(originalName))
    ? before
    : await store.update(server, (current) => {
        const changed = withNew(current, tools, now)
        added = new Set([...changed.tools.keys()].filter((name) => !current.tools.has(name)))
        return changed
      })
  const states = new Map(
    tools.map(
      (tool) => [tool.originalName, stateOf(tool, pins.tools.get(tool.originalName), added)] as const,
    ),
  )
  const isFull = tools.some(({ originalName }) => !pins.tools.has(originalName))
  const notes = [store.note?.(), isFull ? texts.tooManyPins(maxPins) : undefined].filter(
    (note) => note !== undefined,
  )
  return { states, ...(notes.length > 0 && { note: notes.join(' ') }) }
}

function withNew(pins: ServerPins, tools: readonly PinnableTool[], now: number): ServerPins {
  const all = new Map(pins.tools)
  for (const { originalName, fingerprint, raw } of tools) {
    if (all.has(originalName) || all.size >= maxPins) continue
    all.set(originalName, { fingerprint, raw, pinnedAt: now, trust: 'first-use' })
  }
  return { ...pins, tools: all }
}

function stateOf(
  { originalName, fingerprint, raw }: PinnableTool,
  pin: ToolPin | undefined,
  added: ReadonlySet<string>,
): PinState {
  if (pin === undefined) return { state: 'new', trust: 'first-use' }
  const { pinnedAt, trust } = pin
  // Another tab may have pinned it meanwhile, as something else.
  if (pin.fingerprint !== fingerprint)
    return deepFreeze({ state: 'drifted', before: pin.raw, after: raw, pinnedAt })
  return added.has(originalName) ? { state: 'new', trust: 'first-use' } : { state: 'pinned', trust, pinnedAt }
}

/**
 * Pins a definition that a person has accepted: exactly the one that was shown, whatever the server sends
 * meanwhile. For a tool that drifted, and for one that was pinned on its first use and has now been looked
 * at.
 */
export async function acceptDrift(
  store: PinStore,
  server: PinnedServer,
  { originalName, fingerprint, raw }: PinnableTool,
  now: number = Date.now(),
): Promise<void> {
  await store.update(server, (pins) => ({
    ...pins,
    tools: new Map(pins.tools).set(originalName, { fingerprint, raw, pinnedAt: now, trust: 'person' }),
  }))
}

/**
 * Pins as accepted by a person what they were shown: all of the tools, or none when one of them is pinned as something
 * else, by a change of the server or in another tab. To such a change a person says yes where they see it.
 *
 * @returns The server's names of those that are pinned as something else.
 */
export async function acceptShown(
  store: PinStore,
  server: PinnedServer,
  tools: readonly PinnableTool[],
  now: number = Date.now(),
): Promise<readonly string[]> {
  let others: readonly string[] = []
  await store.update(server, (pins) => {
    const pinOf = ({ originalName }: PinnableTool) => pins.tools.get(originalName)
    const isOther = (tool: PinnableTool) =>
      (pinOf(tool)?.fingerprint ?? tool.fingerprint) !== tool.fingerprint
    others = tools.filter(isOther).map(({ originalName }) => originalName)
    if (others.length > 0) return pins
    const all = new Map(pins.tools)
    for (const tool of tools) {
      if (pinOf(tool)?.trust === 'person') continue
      const { originalName, fingerprint, raw } = tool
      all.set(originalName, { fingerprint, raw, pinnedAt: now, trust: 'person' })
    }
    return { ...pins, tools: all }
  })
  return others
}

/** Forgets tools of a server: they are trusted on first use again. */
export async function forgetPins(
  store: PinStore,
  server: PinnedServer,
  originalNames: readonly string[],
): Promise<void> {
  await store.update(server, (pins) => ({
    ...pins,
    tools: new Map([...pins.tools].filter(([name]) => !originalNames.includes(name))),
  }))
}
