import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readServerTools } from '../../../../src/mcp/definitions/read-server-tools.ts'
import type { ServerTool } from '../../../../src/mcp/definitions/server-tool.ts'
import { jsonSchema } from '../../../../src/tool/json-schema.ts'
import type { JsonObject, JsonValue } from '../../../../src/tool/json-value.ts'
import { tool } from '../../../../src/tool/tool.ts'
import { toolNamePattern } from '../../../../src/tool/tool-name.ts'

const keys = fc.oneof(
  fc.constantFrom(
    'type',
    'properties',
    'items',
    '$ref',
    '$defs',
    'enum',
    'pattern',
    'required',
    'allOf',
    'not',
  ),
  fc.constantFrom(
    'description',
    'title',
    'dependencies',
    'patternProperties',
    'a',
    '__proto__',
    'constructor',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
const texts = fc.oneof(
  fc.constantFrom('object', 'string', '#', '#/$defs/a', '(a+)+', '^[a', '<!--', '', 'x'.repeat(5000)),
  fc.string({ unit: 'binary' }),
)
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false, 0, -1, 1e21),
    texts,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(keys, tie('json'), { maxKeys: 5 }),
  ),
}))
const schema = fc.oneof(
  json,
  fc
    .dictionary(keys, json, { maxKeys: 4 })
    .map((properties): JsonObject => ({ type: 'object', properties: { a: properties } })),
)
const item = fc.oneof(
  json.map((value) => value as JsonObject),
  fc.record<JsonObject>(
    {
      name: fc.oneof(fc.constantFrom('a', 'b', 'a.b', '__proto__'), texts),
      title: json,
      description: fc.oneof(texts, json),
      inputSchema: schema,
      outputSchema: schema,
      annotations: json,
    },
    { requiredKeys: ['name'] },
  ),
)
const items = fc.array(item, { maxLength: 8 })

/** The same value with the keys of each object in the opposite order. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}

const byName = (tools: readonly ServerTool[]) =>
  new Map(
    tools.map(({ originalName, name, fingerprint, inputSchema }) => [
      originalName,
      { name, fingerprint, inputSchema },
    ]),
  )

describe('readServerTools', () => {
  test('takes whatever a server sends: each tool is usable or set aside', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (given) => {
        const { tools, setAside } = await readServerTools(given, { namespace: 'x' })
        expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
        for (const { name, description, inputSchema, outputSchema, title, annotations: _hints } of tools) {
          expect(name).toMatch(toolNamePattern)
          expect(title).not.toBe('')
          const made = tool({
            ...{ name, description },
            inputSchema: jsonSchema(inputSchema),
            ...(outputSchema && { outputSchema: jsonSchema(outputSchema) }),
            execute: () => '',
          })
          expect(made.definition.inputSchema).toEqual(inputSchema)
        }
        for (const { reason } of setAside) expect(reason).toMatch(/\.$/)
        const told = setAside.reduce(
          (sum, { kind, names }) => sum + (kind === 'unreadable' ? 1 : names.length),
          0,
        )
        expect(tools.length + told).toBeLessThanOrEqual(given.length)
      }),
    )
  })

  test('what comes out depends neither on the order of the tools nor on that of keys', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (given) => {
        const other = reversed(given) as unknown as JsonObject[]
        const [one, two] = await Promise.all(
          [given, other.reverse()].map(
            async (list) => (await readServerTools(list, { namespace: 'x' })).tools,
          ),
        )
        expect(byName(two ?? [])).toEqual(byName(one ?? []))
        const backwards = await readServerTools(given.toReversed(), { namespace: 'x' })
        expect(byName(backwards.tools)).toEqual(byName(one ?? []))
      }),
    )
  })
})
