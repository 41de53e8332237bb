/**
 * Who made a tool: the library (`builtin`), the app, another library (`foreign`), an MCP server or a page's WebMCP tools.
 * Stamped by the library, never read from a definition.
 */
export type ToolOrigin = 'builtin' | 'app' | `foreign:${string}` | `mcp:${string}` | `webmcp:${string}`

const stamps = new WeakMap<object, ToolOrigin>()

/** Records who made a tool or a listed tool. Not exported by any entry: an app cannot stamp. */
export function stampOrigin<T extends object>(target: T, origin: ToolOrigin): T {
  stamps.set(target, origin)
  return target
}

/** Who made a tool; what nobody stamped is the app's. */
export function originOf(target: object): ToolOrigin {
  return stamps.get(target) ?? 'app'
}

const replacements = new WeakMap<object, number>()

/** Records that from now on a tool stands where another one stood before. */
export function stampReplacement(target: object): void {
  // The clock of all tabs: a yes that it outdates may have been given in another one.
  replacements.set(target, Date.now())
}

/** Since when a tool stands where another one stood before, in milliseconds since the epoch. */
export function replacedAt(target: object): number | undefined {
  return replacements.get(target)
}

/** How far an origin is trusted: a lower one never replaces a higher one under the same name. */
export function trustOf(origin: ToolOrigin): number {
  if (origin === 'builtin') return 3
  if (origin === 'app') return 2
  return /^(foreign|mcp):/.test(origin) ? 1 : 0
}

const accepted = new WeakMap<object, () => boolean>()

/**
 * Records how to find out whether the app or a person has accepted a tool's own words, as they are now. Not exported
 * by any entry: a tool cannot vouch for itself.
 */
export function stampAcceptance(target: object, isAccepted: () => boolean): void {
  accepted.set(target, isAccepted)
}

/** Whether the words of a tool's definition are the app's or the library's own, or were accepted. */
export function hasTrustedWords(target: object, origin: ToolOrigin): boolean {
  return trustOf(origin) >= trustOf('app') || accepted.get(target)?.() === true
}

const offered = new WeakSet<object>()

/** Records that a tool was listed: from then on somebody may have said yes to it. */
export function markOffered(target: object): void {
  offered.add(target)
}

/** Whether a yes can have been given to a tool, or to one that it replaced. */
export function mayHaveYes(target: object): boolean {
  return offered.has(target) || replacements.has(target)
}
