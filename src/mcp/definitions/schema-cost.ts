import { resolveReference } from '../../tool/check-json-schema.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import { isRecord } from '../../tool/value-kinds.ts'

/** So often may the validator look at one value: real schemas stay far below. */
const maxLooks = 10_000

const lists = ['allOf', 'anyOf', 'oneOf']
const singles = ['not', 'if', 'then', 'else']

/**
 * Whether checking one value against some part of a schema takes forever: because a part contains itself
 * without a step into the value, or because references that double at each step come to billions. A schema of
 * a few hundred bytes can do that, so no limit of size helps.
 */
export function isEndless(root: JsonObject): boolean {
  const known = new Map<unknown, number>()
  const looks = (node: unknown): number => {
    if (!isRecord(node)) return 1
    const found = known.get(node)
    if (found !== undefined) return found
    // What leads back here before it is counted leads in circles.
    known.set(node, Number.POSITIVE_INFINITY)
    const sum = samePlace(node, root).reduce<number>((total, part) => total + looks(part), 1)
    known.set(node, sum)
    return sum
  }
  const visit = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.some(visit)
    return isRecord(node) && (looks(node) > maxLooks || Object.values(node).some(visit))
  }
  return visit(root)
}

/** The parts of a schema that are checked against the same value as itself. */
export function samePlace(node: Record<string, unknown>, root: JsonObject): readonly unknown[] {
  const parts = [
    ...lists.flatMap((key) => node[key] ?? []),
    ...singles.map((key) => node[key]),
    ...Object.values(isRecord(node.dependentSchemas) ? node.dependentSchemas : {}),
  ]
  return typeof node.$ref === 'string' ? [...parts, resolveReference(node.$ref, root)] : parts
}
