import { resolveReference } from '../tool/check-json-schema.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { isObject } from '../tool/value-kinds.ts'

/** What references lead to from inside of it: at least one place of every circle in a schema. */
export function recursiveTargets(root: JsonObject): ReadonlySet<unknown> {
  const found = new Set<unknown>()
  const open = new Set<unknown>()
  const done = new Set<unknown>()
  const visit = (node: unknown) => {
    if (!isObject(node) || done.has(node)) return
    if (open.has(node)) {
      found.add(node)
      return
    }
    open.add(node)
    for (const [key, member] of Object.entries(node)) {
      visit(key === '$ref' && typeof member === 'string' ? resolveReference(member, root) : member)
    }
    open.delete(node)
    done.add(node)
  }
  visit(root)
  return found
}
