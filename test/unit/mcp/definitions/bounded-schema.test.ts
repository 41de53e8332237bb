import { describe, expect, test } from 'vitest'
import { boundedSchema } from '../../../../src/mcp/definitions/bounded-schema.ts'
import type { JsonObject, JsonValue } from '../../../../src/tool/json-value.ts'

// A tree of expressions, as generators write it: two branches that both may hold another one in the same place.
const node = {
  anyOf: [
    { type: 'object', properties: { op: { const: 'and' }, of: { $ref: '#/$defs/node' } }, required: ['op'] },
    { type: 'object', properties: { op: { const: 'or' }, of: { $ref: '#/$defs/node' } }, required: ['op'] },
  ],
}
const schema: JsonObject = {
  type: 'object',
  properties: { tree: { $ref: '#/$defs/node' } },
  $defs: { node },
}

function tree(levels: number): JsonObject {
  let value: JsonObject = { op: 'or' }
  for (let level = 1; level < levels; level += 1) value = { op: 'or', of: value }
  return { tree: value }
}

const issuesOf = async (given: JsonObject, value: JsonValue) =>
  (await boundedSchema(given)['~standard'].validate(value)).issues

describe('boundedSchema', () => {
  test('a value of usual depth is checked', async () => {
    expect(await issuesOf(schema, tree(5))).toBeUndefined()
    expect(await issuesOf(schema, { tree: { op: 'xor' } })).not.toBeUndefined()
  })

  test('a value that would take forever to check is refused at once', async () => {
    expect(await issuesOf(schema, tree(60))).toMatchObject([
      { message: expect.stringContaining('too deeply') },
    ])
  })

  test('a long list, and a deep value that does not double, are checked', async () => {
    const list = { type: 'object', properties: { next: { $ref: '#' }, all: { items: { $ref: '#' } } } }
    let deep: JsonObject = {}
    for (let level = 0; level < 90; level += 1) deep = { next: deep }
    expect(await issuesOf(list, deep)).toBeUndefined()
    expect(await issuesOf(list, { all: Array.from({ length: 2000 }, () => ({})) })).toBeUndefined()
    expect(await issuesOf(list, { all: [7] })).not.toBeUndefined()
  })

  test('a schema without references is as it is', async () => {
    const plain = { type: 'object', properties: { a: { type: 'string' } } }
    expect(boundedSchema(plain)['~standard'].jsonSchema).toBeDefined()
    expect(await issuesOf(plain, { a: 1 })).not.toBeUndefined()
  })
})
