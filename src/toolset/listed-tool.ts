import { deepFreeze } from '../tool/json-value.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { hasTrustedWords, originOf, replacedAt, stampOrigin, type ToolOrigin } from '../tool/tool-origin.ts'
import type { ToolMiddleware } from './tool-middleware.ts'

/** A tool as a source offers it. */
export interface ListedTool {
  readonly definition: ToolDefinition
  /** SHA-256 of the source's own definition (on an insecure page its JSON): what an approval is bound to. */
  readonly fingerprint: string
  /** Who made it. A source that the library does not know counts as `app`, whatever it says here. */
  readonly origin: ToolOrigin
}

const roots = new WeakMap<ListedTool, object>()
const recorded = new WeakMap<ListedTool, readonly ToolMiddleware[]>()
const none: readonly ToolMiddleware[] = Object.freeze([])

/**
 * Lists a tool of the library's own sources.
 *
 * @param root - What stands for the tool itself: another object is another tool. The list entry when absent.
 */
export function listTool(
  definition: ToolDefinition,
  fingerprint: string,
  origin: ToolOrigin,
  root?: object,
): ListedTool {
  const listed = stampOrigin(
    Object.freeze({ definition: deepFreeze(definition), fingerprint, origin }),
    origin,
  )
  roots.set(listed, root ?? listed)
  return listed
}

/**
 * The same tool, shown by a wrapper with another definition. It keeps what the tool is known by: fingerprint,
 * origin, and the middleware that wrappers further inside recorded; `middleware` comes before that.
 */
export function relist(
  listed: ListedTool,
  definition: ToolDefinition,
  middleware: readonly ToolMiddleware[] = [],
): ListedTool {
  const { fingerprint, origin } = listed
  const shown = Object.freeze({ definition: deepFreeze(definition), fingerprint, origin })
  const root = roots.get(listed)
  if (root !== undefined) {
    stampOrigin(shown, originOf(listed))
    roots.set(shown, root)
  }
  const all = [...middleware, ...middlewareOf(listed)]
  if (all.length > 0) recorded.set(shown, all)
  return shown
}

/**
 * What stands for the tool itself behind all wrappers: the same object for the same tool. Undefined for a source
 * that the library does not know.
 */
export function rootOf(listed: ListedTool): object | undefined {
  return roots.get(listed)
}

/** Whether the words of a tool are the app's or the library's, or were accepted: now, and whatever wrappers show. */
export function isAccepted(listed: ListedTool): boolean {
  return hasTrustedWords(roots.get(listed) ?? listed, originOf(listed))
}

/** Since when a tool stands where another one stood before, in milliseconds since the epoch. */
export function replacedSince(listed: ListedTool): number | undefined {
  return replacedAt(roots.get(listed) ?? listed)
}

/** The middleware of the toolsets round a tool, outermost first. The executor runs it. */
export function middlewareOf(listed: ListedTool): readonly ToolMiddleware[] {
  return recorded.get(listed) ?? none
}
