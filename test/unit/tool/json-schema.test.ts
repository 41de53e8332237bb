import { type JsonObject, jsonSchema, parameters, type StandardSchema, ToolRegistry, tool } from 'offstage'
import { describe, expect, it } from 'vitest'

function define(inputSchema: StandardSchema) {
  return tool({ name: 't', description: 'T.', inputSchema, execute: (input) => JSON.stringify(input) })
}

async function run(inputSchema: StandardSchema, input: unknown) {
  const registry = new ToolRegistry()
  registry.register(define(inputSchema))
  return registry.executeTool('t', input)
}

function ofA(schema: unknown, more: object = {}): JsonObject {
  return { type: 'object', properties: { a: schema }, ...more } as JsonObject
}

describe('jsonSchema()', () => {
  it('validates, follows local references and fills in defaults', async () => {
    const schema = jsonSchema(
      ofA(
        { $ref: '#/$defs/a b' },
        {
          required: ['a'],
          $defs: { 'a b': { type: 'object', properties: { n: { type: 'integer', default: 1 } } } },
        },
      ),
    )
    expect((await run(schema, { a: {} })).response.text).toBe('{"a":{"n":1}}')
    expect((await run(schema, { a: { n: 'x' } })).response.text).toMatch(
      /'a\.n': Instance type "string" is invalid/,
    )
    expect((await run(schema, {})).response.text).toContain('required property "a"')
  })

  it('names an unknown key of a closed schema once, and a wrong known key by its type', async () => {
    const schema = jsonSchema(ofA({ type: 'string' }, { additionalProperties: false }))
    const { response } = await run(schema, { a: 5, 'é x': 1 })
    expect(response.text).toContain("parameter 'é x': this key is not known")
    expect(response.text.match(/'a'/g)).toHaveLength(1)
  })

  it('keeps all keys of a free-form object, and those that a condition names', async () => {
    expect((await run(jsonSchema({ type: 'object' }), { z: 1 })).response.text).toBe('{"z":1}')
    const b = { properties: { b: { type: 'number' } }, required: ['b'] }
    const conditional = jsonSchema(ofA({ type: 'string' }, { dependentSchemas: { a: b } }))
    expect((await run(conditional, { a: 'x', b: 1, c: 2 })).response.text).toBe('{"a":"x","b":1}')
  })

  it('is its own copy: later changes to the object change nothing, and a frozen one works', async () => {
    const raw = { type: 'object', properties: { a: { type: 'string' } } }
    const made = define(jsonSchema(raw))
    raw.properties.a.type = 'number'
    expect(made.definition.inputSchema).toEqual(ofA({ type: 'string' }))
    const frozen = jsonSchema(Object.freeze({ type: 'object', properties: Object.freeze({}) }))
    expect((await run(frozen, {})).outcome).toBe('success')
  })

  it('gives the tool an input of its own', async () => {
    const registry = new ToolRegistry()
    registry.register(
      tool({
        name: 't',
        description: 'T.',
        inputSchema: jsonSchema<{ a: string }>(ofA({ type: 'string' })),
        check: (input) => {
          input.a = 'from check'
        },
        execute: (input) => {
          const { a } = input
          input.a = 'from execute'
          return a
        },
      }),
    )
    const { call, response } = await registry.executeTool('t', { a: 'given' })
    expect([call.input, response.text]).toEqual([{ a: 'given' }, 'given'])
  })

  it('takes examples that hold ids', async () => {
    const item = { type: 'object', example: { id: 1 } }
    expect((await run(jsonSchema(ofA(item, { 'x-note': { id: 1 } })), { a: {} })).outcome).toBe('success')
  })

  it.each<[string, unknown, string]>([
    ['a type', ofA({ type: 'strng' }), '"properties.a.type": "strng" is not a type'],
    ['a reference', ofA({ $ref: '#/$defs/x' }), '"#/$defs/x" leads to nothing'],
    ['a remote reference', ofA({ $ref: 'https://x.example/a' }), 'only references inside the schema'],
    ['a circle', ofA({ $ref: '#/$defs/x' }, { $defs: { x: { $ref: '#/$defs/x' } } }), 'leads back to itself'],
    ['a pattern', ofA({ type: 'string', pattern: '(' }), '"properties.a.pattern"'],
    ['a key pattern', { type: 'object', patternProperties: { '(': {} } }, '"patternProperties"'],
    ['required', ofA({ type: 'string', required: true }), 'expected a list of property names'],
    ['a bound', ofA({ type: 'number', exclusiveMinimum: true }), 'expected a number, got true'],
    ['a list of items', ofA({ type: 'array', items: [{}] }), 'use prefixItems'],
    [
      'a forbidden key',
      ofA({}, { properties: { constructor: {} } }),
      'the key "constructor" is not accepted',
    ],
    ['a value', ofA({ default: Number.NaN }), '"properties.a.default": NaN is not a JSON number'],
    ['a list at the root', { type: 'array' }, 'the root must be an object, got {"type":"array"}'],
  ])('with a wrong %s fails when a tool is defined, with its name and the path', (_what, schema, message) => {
    const made = jsonSchema(schema as JsonObject)
    expect(() => define(made)).toThrow(message)
    expect(() => define(made)).toThrow('tool "t", inputSchema')
  })
})

describe('parameters()', () => {
  it('is a schema with what each parameter says', () => {
    const schema = parameters([
      { name: 'city', description: 'city name' },
      { name: 'days', type: 'integer', default: 3 },
      { name: 'unit', required: false, schema: { enum: ['c', 'f'] } },
    ])
    expect(define(schema).definition.inputSchema).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'city name' },
        days: { type: 'integer', default: 3 },
        unit: { enum: ['c', 'f'] },
      },
      required: ['city'],
    })
  })

  it('fills in defaults, and drops unknown keys', async () => {
    const schema = parameters([{ name: 'days', type: 'integer', default: 3 }])
    const { response, droppedKeys } = await run(schema, { z: 1 })
    expect([response.text, droppedKeys]).toEqual(['{"days":3}', ['z']])
  })

  it.each<[string, unknown, string]>([
    ['twins', [{ name: 'a' }, { name: 'a' }], '"a" is listed twice'],
    ['no list', { name: 'a' }, 'expected a list'],
    ['an option', [{ name: 'a', optional: true }], 'there is no option "optional"'],
    ['a name', [{ name: '__proto__' }], '"__proto__" cannot be the name of a parameter'],
    ['a default', [{ name: 'a', type: 'integer', default: 'x' }], 'the default of "a" is refused'],
    ['a schema', [{ name: 'a', schema: 'string' }], 'must be a JSON Schema'],
  ])('says what is wrong with %s', (_what, list, message) => {
    expect(() => parameters(list as never)).toThrow(message)
  })
})
