import { isSchema, walkSchema } from './walk-schema.ts'

// What MCP takes: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#data-types: names of 1 to 128
// letters, digits, "_", "-" and "."; schemas of 2020-12 with an object at their root. Written down apart from the library.

interface Sent {
  readonly name: string
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
}

/** What an MCP client would refuse of a tool; nothing when it takes it. */
export function mcpFaults({ name, inputSchema, outputSchema }: Sent): string[] {
  const schemas = [inputSchema, ...(outputSchema === undefined ? [] : [outputSchema])]
  return [
    ...(/^[\w.-]{1,128}$/.test(name) ? [] : [`name ${name}`]),
    ...schemas.flatMap((schema) => [
      ...(isSchema(schema) && schema.type === 'object' ? [] : ['a root that is no object']),
      ...walkSchema(schema, (node) => [
        ...(Array.isArray(node.items) ? ['items as a list'] : []),
        ...(typeof node.exclusiveMinimum === 'boolean' ? ['exclusiveMinimum of draft-04'] : []),
      ]),
    ]),
  ]
}
