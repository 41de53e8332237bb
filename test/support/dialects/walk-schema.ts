/** A schema as a checker sees it. */
export type Schema = Readonly<Record<string, unknown>>

/** Says what is wrong with one node of a schema; nothing when it is fine. */
export type NodeRule = (node: Schema, path: string, level: number) => readonly string[]

const maps = ['properties', 'patternProperties', '$defs']
const singles = ['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contains']
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']

/** What is wrong with a schema, node by node; a level is one more for what is in an object or an array. */
export function walkSchema(root: unknown, rule: NodeRule): string[] {
  const faults: string[] = []
  const visit = (node: unknown, path: string, level: number) => {
    if (!isSchema(node)) {
      if (typeof node !== 'boolean') faults.push(`${path}: no schema`)
      return
    }
    faults.push(...rule(node, path, level).map((fault) => `${path}: ${fault}`))
    for (const key of maps) {
      if (!isSchema(node[key])) continue
      for (const [name, member] of Object.entries(node[key]))
        visit(member, `${path}/${key}/${name}`, level + 1)
    }
    for (const key of singles) if (node[key] !== undefined) visit(node[key], `${path}/${key}`, level + 1)
    for (const key of lists) {
      if (node[key] === undefined) continue
      if (!Array.isArray(node[key])) faults.push(`${path}: ${key} is no list`)
      else for (const [at, member] of node[key].entries()) visit(member, `${path}/${key}/${at}`, level)
    }
  }
  visit(root, '', 0)
  return faults
}

/** The keywords of a node that are not among these. */
export function strangeKeywords(node: Schema, known: readonly string[]): string[] {
  return Object.keys(node).flatMap((key) => (known.includes(key) ? [] : [`the keyword ${key}`]))
}

/** Whether a value is an object, as a schema of the walk is. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
