import type { WebMCPContext } from './model-context.ts'

const owned = new WeakMap<WebMCPContext, Set<string>>()

/** The names under which this page's own tools are in a context: to bring them in again would only double them. */
export function ownNames(context: WebMCPContext): Set<string> {
  const names = owned.get(context) ?? new Set<string>()
  owned.set(context, names)
  return names
}
