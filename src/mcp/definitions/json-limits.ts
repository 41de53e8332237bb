import { isObject } from '../../tool/value-kinds.ts'

/** How large a JSON value may be. */
export interface JsonLimits {
  /** Of its JSON text in UTF-8. */
  readonly maxBytes: number
  /** How many objects and lists may stand inside of each other. */
  readonly maxDepth: number
  /** How many objects and lists there may be in all. */
  readonly maxNodes: number
}

/**
 * Of what is kept of each tool, compared and shown. Deep enough for anything, and not too deep for what
 * recurses: the limits of the schemas are narrower.
 */
export const definitionLimits: JsonLimits = { maxBytes: 1024 * 1024, maxDepth: 200, maxNodes: 32_768 }

/** Which limit a value exceeds, and what it is: levels, objects and lists, or KiB. */
export interface Excess {
  readonly limit: 'depth' | 'parts' | 'size'
  readonly most: number
}

/** What of the limits a value exceeds; undefined when it keeps them. Does not recurse. */
export function exceeds(value: unknown, { maxBytes, maxDepth, maxNodes }: JsonLimits): Excess | undefined {
  const open: { readonly node: object; readonly depth: number }[] = []
  const visit = (node: unknown, depth: number) => {
    if (isObject(node)) open.push({ node, depth })
  }
  visit(value, 1)
  for (let nodes = 1; open.length > 0; nodes += 1) {
    const { node, depth } = open.pop() as (typeof open)[number]
    if (depth > maxDepth) return { limit: 'depth', most: maxDepth }
    if (nodes + open.length > maxNodes) return { limit: 'parts', most: maxNodes }
    for (const member of Object.values(node)) visit(member, depth + 1)
  }
  const bytes = new TextEncoder().encode(JSON.stringify(value) ?? '').length
  return bytes > maxBytes ? { limit: 'size', most: maxBytes / 1024 } : undefined
}
