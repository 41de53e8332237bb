import { forOpenAI, jsonSchema, ToolRegistry, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/tool/json-value.ts'
import { openaiFaults } from '../../support/dialects/openai-grammar.ts'

/** What is sent for a schema. */
function sent(inputSchema: object, options: { readonly strict?: boolean } = {}) {
  const projection = forOpenAI(
    { name: 'f', description: 'F.', inputSchema: inputSchema as JsonObject },
    options,
  )
  expect(openaiFaults(projection.tool)).toEqual([])
  return { ...projection, ...projection.tool.function }
}
const strict = { strict: true }

describe('a strict tool for OpenAI', () => {
  it('A01 requires every key, with null for what is absent, and does not change its source', async () => {
    const source = {
      ...{ type: 'object', properties: { content: { type: 'string' }, action: { type: 'string' } } },
      required: [],
    } as const
    const before = JSON.stringify(source)
    const { parameters, decode, encode, report } = sent(source, strict)
    expect(parameters).toEqual({
      type: 'object',
      properties: { content: { type: ['string', 'null'] }, action: { type: ['string', 'null'] } },
      required: ['content', 'action'],
      additionalProperties: false,
    })
    expect(JSON.stringify(source)).toBe(before)
    expect(decode({ content: 'x', action: null })).toEqual({ content: 'x' })
    expect(encode({ content: 'x' })).toEqual({ content: 'x', action: null })
    expect(report).toContainEqual({
      ...{ path: 'action', lost: 'optional', became: 'required, where null stands for absent' },
    })
    const registry = new ToolRegistry()
    registry.register(
      tool({
        name: 'f',
        description: 'F.',
        inputSchema: jsonSchema(source),
        execute: (input) => JSON.stringify(input),
      }),
    )
    expect((await registry.executeTool('f', { content: 'x', action: null })).response.text).toBe(
      '{"content":"x"}',
    )
  })

  it('A05 has its default in words, and the default is filled in here', async () => {
    const source = {
      type: 'object',
      properties: { name: { type: 'string' }, is_admin: { type: 'boolean', default: false } },
      required: ['name'],
    }
    const { parameters, decode } = sent(source, strict)
    expect(parameters).toMatchObject({
      properties: { is_admin: { type: ['boolean', 'null'], description: 'Default: false.' } },
    })
    expect(JSON.stringify(parameters)).not.toContain('"default"')
    const registry = new ToolRegistry()
    registry.register(
      tool({
        name: 'f',
        description: 'F.',
        inputSchema: jsonSchema(source),
        execute: (input) => JSON.stringify(input),
      }),
    )
    for (const input of [{ name: 'a', is_admin: null }, { name: 'a' }]) {
      expect((await registry.executeTool('f', decode(input))).response.data).toBeUndefined()
      expect((await registry.executeTool('f', decode(input))).response.text).toBe(
        '{"name":"a","is_admin":false}',
      )
    }
  })

  it('A10 that contains itself refers to its own definition', () => {
    const { parameters, strict: isStrict } = sent(recursive, strict)
    expect(isStrict).toBe(true)
    expect(parameters).toMatchObject({ type: 'object', $defs: { N: { type: 'object' } } })
  })

  it('A23 is not strict where an object is open, and says why; a tuple is an array of its length', () => {
    const { definition } = tool({
      ...{ name: 'f', description: 'F.', execute: () => 1 },
      inputSchema: v.object({ r: v.record(v.string(), v.number()), t: v.tuple([v.string(), v.number()]) }),
    })
    const { strict: isStrict, report, parameters } = sent(definition.inputSchema, strict)
    expect(isStrict).toBe(false)
    expect(report[0]).toEqual({
      ...{ path: '', lost: 'strict mode' },
      became: 'strict: false, as "r" is an object with keys that are not named',
    })
    expect(parameters).toMatchObject({ properties: { r: { additionalProperties: { type: 'number' } } } })
    const { t } = (sent({ type: 'object', properties: { t: tuple } }, strict).parameters.properties ??
      {}) as {
      t: object
    }
    expect(t).toEqual({
      ...{ type: ['array', 'null'], items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      ...{ minItems: 2, maxItems: 2, description: 'The items in order: string, number.' },
    })
  })

  it.each([
    ['a value of any type', { x: {} }, '"x" may be any value'],
    [
      'more than 1,000 values',
      { x: { enum: Array.from({ length: 1_200 }, (_, at) => `v${at}`) } },
      '1201 values',
    ],
    ['more than 5,000 keys', manyKeys(5_100), '5100 keys'],
    ['more than 10 levels', { x: nested(12) }, 'levels deep'],
  ])('is not strict with %s', (_what, properties, why) => {
    const { strict: isStrict, report } = sent({ type: 'object', properties }, strict)
    expect(isStrict).toBe(false)
    expect(report[0]?.became).toContain(why)
  })
})

const tuple = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2 }
const recursive = {
  $defs: {
    N: {
      type: 'object',
      properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/N' } } },
    },
  },
  $ref: '#/$defs/N',
}

function manyKeys(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, { type: 'string' }]))
}

function nested(levels: number): object {
  return levels === 0 ? { type: 'string' } : { type: 'object', properties: { x: nested(levels - 1) } }
}

describe('a tool for OpenAI', () => {
  it('A03 has no union at its root: the description says it, and the check here is exact', async () => {
    const source = {
      type: 'object',
      properties: { route: { type: 'string' }, file: { type: 'string' } },
      anyOf: [{ required: ['route'] }, { required: ['file'] }],
    }
    const { description, parameters } = sent(source)
    expect(parameters).toEqual({ type: 'object', properties: source.properties })
    expect(description).toBe('F. Must have at least one of these groups of keys: route; file.')
    const registry = new ToolRegistry()
    registry.register(
      tool({ name: 'f', description: 'F.', inputSchema: jsonSchema(source), execute: () => 'ran' }),
    )
    const refused = await registry.executeTool('f', {})
    expect(refused.outcome).toBe('invalid')
    expect(refused.response.text).toMatch(/route|anyOf/)
    expect((await registry.executeTool('f', { file: 'a' })).outcome).toBe('success')
  })

  it('says how the branches of a union at its root go together', () => {
    const { description, parameters } = sent({
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        { type: 'object', properties: { kind: { const: 'point' } }, required: ['kind'] },
      ],
    })
    expect(description).toBe(
      'F. The keys go together in one of these ways: (1) kind = "circle" + radius (2) kind = "point".',
    )
    expect(parameters).toEqual({
      ...{ type: 'object', required: ['kind'] },
      properties: { kind: { type: 'string', enum: ['circle', 'point'] }, radius: { type: 'number' } },
    })
  })

  it('is as it is where OpenAI takes it', () => {
    const source = {
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1, description: 'The city.', default: 'Oslo' },
        tags: {
          type: 'array',
          items: { oneOf: [{ type: 'string' }, { type: 'integer', exclusiveMinimum: 0 }] },
        },
        more: { type: 'object', additionalProperties: { type: 'number' } },
      },
      required: ['city'],
      additionalProperties: false,
    }
    const { parameters, report, changesInput } = sent(source)
    expect(parameters).toEqual(source)
    expect(report).toEqual([])
    expect(changesInput).toBe(false)
  })

  it('A20 without parameters is an object without keys, strict or not', () => {
    const { definition } = tool({ name: 'f', description: 'F.', execute: () => 1 })
    for (const inputSchema of [definition.inputSchema, { type: 'object', properties: {} }]) {
      expect(sent(inputSchema).parameters).toEqual({ type: 'object', properties: {} })
      expect(sent(inputSchema, strict)).toMatchObject({
        strict: true,
        parameters: { type: 'object', properties: {}, additionalProperties: false },
      })
    }
  })

  it('A21 is described by what goes in, not by what a transform makes of it', () => {
    const { definition } = tool({
      ...{ name: 'f', description: 'F.' },
      inputSchema: v.object({ userId: v.pipe(v.string(), v.transform(Number)) }),
      execute: ({ userId }) => userId + 1,
    })
    expect(sent(definition.inputSchema).parameters).toMatchObject({
      properties: { userId: { type: 'string' } },
    })
  })

  it('has a description of at most 1,024 characters, and keeps what the schema cannot say', () => {
    const { tool: cut, report } = forOpenAI({
      ...{ name: 'f', description: '文'.repeat(2_000) },
      inputSchema: {
        type: 'object',
        properties: { a: {}, b: {} },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
    })
    expect(cut.function.description).toHaveLength(1024)
    expect(cut.function.description).toMatch(/… Must have at least one of these groups of keys: a; b\.$/)
    expect(report.map(({ lost }) => lost)).toContain('the end of the description')
  })

  it('has words in another language when it is given them', () => {
    const { tool: told } = forOpenAI(
      {
        name: 'f',
        description: 'F.',
        inputSchema: { type: 'object', properties: { a: { default: 1, type: 'number' } } },
      },
      { strict: true, texts: { default: (value) => `默认值：${value}。` } },
    )
    expect(told.function.parameters).toMatchObject({ properties: { a: { description: '默认值：1。' } } })
  })
})

describe('toOpenAISchema of a registry', () => {
  it('gives strict tools when it is asked to', () => {
    const registry = new ToolRegistry()
    registry.register(
      tool({
        name: 'f',
        description: 'F.',
        inputSchema: v.object({ a: v.optional(v.string()) }),
        execute: () => 1,
      }),
    )
    expect(registry.toOpenAISchema(undefined, { strict: true })).toMatchObject([
      { function: { strict: true, parameters: { required: ['a'], additionalProperties: false } } },
    ])
    expect(registry.toOpenAISchema()[0]?.function).not.toHaveProperty('strict')
    expect(() => registry.toOpenAISchema([], { strickt: true } as never)).toThrow('Did you mean "strict"?')
  })
})
