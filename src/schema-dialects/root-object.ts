import { asList, isRecord } from '../tool/value-kinds.ts'
import { isNever, mergeNodes, type PlainNode } from './merge-nodes.ts'
import { fault, plainNode } from './plain-node.ts'
import { isAboutShape, sayRules, unionOf, waysText } from './project-union.ts'
import { type Place, say } from './projecting.ts'

/**
 * The root as one object without a union: no provider takes one there. Its branches give their keys, and words say how
 * they go together.
 *
 * @throws ToolRegistrationError when no object can fit: an input is always one.
 */
export function rootObject(node: PlainNode, place: Place): PlainNode {
  const union = unionOf(node)
  const { rest } = union ?? { rest: node }
  if (union === undefined) return checkedObject(rest)
  if (!isAboutShape(union.branches)) {
    sayRules(union, place)
    return rootObject(rest, place)
  }
  const { root } = place.projecting
  const branches = union.branches
    .map((branch) => plainNode(branch, root, '', []))
    .filter((branch) => mayBeObject(branch))
    // A branch may be a union itself.
    .map((branch) => rootObject(branch, place))
  if (branches.length === 0) throw fault('', 'no object fits it, and the input of a tool is always one')
  if (branches.length > 1) say(place, 'ways', waysText(branches, place), `${union.keyword} at the root`)
  return checkedObject(mergeNodes(rest, united(branches)))
}

function checkedObject(node: PlainNode): PlainNode {
  if (isNever(node) || !mayBeObject(node)) {
    throw fault(
      '',
      `its root must be an object, as the input of a tool is always one; got type ${JSON.stringify(node.type)}`,
    )
  }
  return { ...node, type: 'object' }
}

function mayBeObject({ type, enum: values }: PlainNode): boolean {
  const isListed = values === undefined || asList(values).some(isRecord)
  return isListed && (type === undefined || [type].flat().includes('object'))
}

/** One object with the keys of all. */
function united(branches: readonly PlainNode[]): PlainNode {
  const [first = {}, ...more] = branches
  const schemas = new Map<string, unknown[]>()
  for (const { properties } of branches) {
    for (const [key, schema] of Object.entries(Object(properties))) {
      schemas.set(key, [...(schemas.get(key) ?? []), schema])
    }
  }
  const properties = Object.fromEntries(
    [...schemas].map(([key, all]) => {
      const different = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
      return [key, different.length === 1 ? different[0] : { anyOf: different }]
    }),
  )
  const required = asList(first.required).filter((key) =>
    more.every((branch) => asList(branch.required).includes(key)),
  )
  const isClosed = branches.every(({ additionalProperties }) => additionalProperties === false)
  const isOpen = branches.some(({ additionalProperties: others }) => others !== undefined && others !== false)
  return {
    ...{ type: 'object', properties, required },
    ...(isClosed ? { additionalProperties: false } : isOpen ? { additionalProperties: true } : {}),
  }
}
