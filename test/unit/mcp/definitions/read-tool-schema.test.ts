import { describe, expect, test } from 'vitest'
import { definitionTextsEn } from '../../../../src/mcp/definitions/definition-texts.ts'
import { readToolSchema } from '../../../../src/mcp/definitions/read-tool-schema.ts'
import { flagList } from '../../../../src/mcp/definitions/tool-flag.ts'
import { jsonSchema } from '../../../../src/tool/json-schema.ts'
import type { JsonObject, JsonValue } from '../../../../src/tool/json-value.ts'

function read(raw: JsonValue) {
  const flags = flagList()
  const schema = readToolSchema(raw, 'inputSchema', {
    flags,
    maxDescriptionChars: 100,
    texts: definitionTextsEn,
    read: [],
    patternChars: 0,
  })
  return { schema, flags: flags.flags }
}

async function accepts(schema: JsonObject | string, value: JsonValue): Promise<boolean> {
  const result = await jsonSchema(schema as JsonObject)['~standard'].validate(value)
  return result.issues === undefined
}

describe('readToolSchema', () => {
  test('draft-07 with its $schema and definitions is read, and its references are followed', async () => {
    const { schema } = read({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://x.example/tool.json',
      type: 'object',
      properties: { to: { $ref: '#/definitions/address' } },
      definitions: { address: { type: 'string', minLength: 3 } },
    })
    expect(schema).toEqual({
      type: 'object',
      properties: { to: { $ref: '#/definitions/address' } },
      definitions: { address: { type: 'string', minLength: 3 } },
    })
    expect(await accepts(schema, { to: 'abc' })).toBe(true)
    expect(await accepts(schema, { to: 'a' })).toBe(false)
  })

  test('what older drafts say in other words is said in those of 2020-12', async () => {
    const { schema } = read({
      type: 'object',
      properties: {
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
        over: { type: 'number', minimum: 5, exclusiveMinimum: true, exclusiveMaximum: false },
      },
      dependencies: { pair: ['over'], over: { required: ['pair'] } },
    })
    expect(await accepts(schema, { pair: ['a', 1], over: 6 })).toBe(true)
    for (const wrong of [
      { pair: ['a', 1, 2], over: 6 },
      { pair: [1], over: 6 },
      { pair: ['a', 1], over: 5 },
      { pair: ['a', 1] },
      { over: 6 },
    ]) {
      expect(await accepts(schema, wrong)).toBe(false)
    }
  })

  test('a root without a type is an object', () => {
    expect(read({ properties: {} }).schema).toEqual({ type: 'object', properties: {} })
    expect(read({}).schema).toMatchObject({ type: 'object' })
    expect(read({ type: ['object', 'null'] }).schema).toMatchObject({ type: 'object' })
  })

  test('a schema that refers to itself through a property is taken', async () => {
    const node = {
      type: 'object',
      properties: { left: { $ref: '#/$defs/node' }, right: { $ref: '#/$defs/node' } },
    }
    const { schema } = read({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: { node },
    })
    expect(await accepts(schema, { tree: { left: { right: {} } } })).toBe(true)
    expect(await accepts(schema, { tree: { left: { right: 1 } } })).toBe(false)
  })

  test('a schema that contains itself in the same place, or doubles at each step, is refused', () => {
    const circle = { type: 'object', $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' }
    const doubling = Array.from({ length: 40 }, (_, index) => {
      const ref = { $ref: `#/$defs/d${index + 1}` }
      return [`d${index}`, { allOf: [ref, ref] }] as const
    })
    const bomb = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: { ...Object.fromEntries(doubling), d40: { type: 'string' } },
    }
    expect(read(circle).schema).toMatch(/forever/)
    expect(read(bomb).schema).toMatch(/forever/)
  })

  test('a pattern that might take forever is said in the description instead, with a flag', async () => {
    const { schema, flags } = read({
      type: 'object',
      properties: { a: { type: 'string', pattern: '(a+)+$', description: 'Letters.' } },
    })
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string', description: 'Letters. Must match the pattern (a+)+$' } },
    })
    expect(flags).toMatchObject([{ kind: 'pattern', field: 'inputSchema.properties.a.pattern' }])
    expect(await accepts(schema, { a: `${'a'.repeat(60)}!` })).toBe(true)
  })

  test('a usable pattern stays', async () => {
    const { schema, flags } = read({
      type: 'object',
      properties: { a: { type: 'string', pattern: '^[a-z]+$' } },
    })
    expect(flags).toEqual([])
    expect(await accepts(schema, { a: 'A' })).toBe(false)
  })

  test('beyond 8,192 characters of patterns none is looked at any more', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`p${index}`, { pattern: `^${'a'.repeat(900)}$` }]),
    )
    const { schema, flags } = read({ type: 'object', properties })
    const left = Object.values((schema as { properties: object }).properties).filter(
      (node) => 'pattern' in node,
    )
    expect(left).toHaveLength(9)
    expect(flags[0]?.text).toContain('too many patterns')
  })

  test.each<[string, JsonObject]>([
    ['a type that does not exist', { properties: { a: { type: 'text' } } }],
    ['a reference that leads nowhere', { properties: { a: { $ref: '#/$defs/none' } } }],
    ['a reference that changes its meaning', { properties: { a: { $dynamicRef: '#x' } } }],
    ['properties that are a list', { properties: [] }],
    ['a parameter called constructor', { properties: { constructor: {} } }],
    ['a required name that is partly hidden', { required: ['a\u{E0041}'] }],
    ['dependentRequired that is no object', { dependentRequired: 'a' }],
    ['dependentRequired with a number', { dependentRequired: { a: 5 } }],
  ])('%s is refused', (_what, rest) => {
    expect(read({ type: 'object', ...rest }).schema).toEqual(expect.any(String))
  })
})
