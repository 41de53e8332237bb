import { forGemini } from 'offstage'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/tool/json-value.ts'
import { geminiFaults } from '../../support/dialects/gemini-grammar.ts'

/** What is sent for a schema. */
function sent(inputSchema: object) {
  const projection = forGemini({ name: 'f', description: 'F.', inputSchema: inputSchema as JsonObject })
  expect(geminiFaults(projection.tool)).toEqual([])
  return { ...projection, parameters: projection.tool.parameters }
}

/** What is sent for the schema of one key. */
function value(x: object) {
  const { parameters, report } = sent({ type: 'object', properties: { x } })
  return { schema: Object(parameters?.properties).x, report }
}

describe('a tool for Gemini', () => {
  it('A06 has no const: a text is a list of one, other values are told', () => {
    const { parameters } = sent({
      type: 'object',
      properties: { m: { const: 'fast' }, n: { const: 2 }, u: { anyOf: [{ const: 'a' }, { const: 'b' }] } },
    })
    expect(parameters?.properties).toEqual({
      m: { type: 'string', enum: ['fast'] },
      n: { type: 'integer', description: 'Must be 2.' },
      u: { type: 'string', enum: ['a', 'b'] },
    })
  })

  it('A08 has what a reference to a sibling means', () => {
    const { parameters } = sent({
      type: 'object',
      properties: {
        headers: { type: 'object' },
        actions: { type: 'array', items: { $ref: '#/properties/headers' } },
      },
      required: ['actions'],
    })
    expect(parameters?.properties).toMatchObject({ actions: { type: 'array', items: { type: 'object' } } })
  })

  it('A10 that contains itself is cut at a depth, and the report says where', () => {
    const { parameters, report } = sent({
      $defs: {
        N: {
          type: 'object',
          properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/$defs/N' } } },
        },
      },
      $ref: '#/$defs/N',
    })
    expect(parameters?.type).toBe('object')
    expect(report).toEqual([
      {
        ...{ path: 'kids.*.kids.*.kids.*', lost: 'a schema within itself' },
        became: 'words in the description',
      },
    ])
  })

  it('A11 has one type with nullable, and no branch for null', () => {
    const { parameters } = sent({
      type: 'object',
      properties: {
        a: { type: ['number', 'null'] },
        b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        c: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      },
    })
    expect(parameters?.properties).toEqual({
      a: { type: 'number', nullable: true },
      b: { type: 'string', nullable: true },
      c: { anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true },
    })
  })

  it('A15 has no $schema, $id, $comment, definitions or $defs', () => {
    const { parameters, report } = sent({
      ...{ $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x', $comment: 'y', type: 'object' },
      properties: { a: { type: 'string' }, b: { $ref: '#/definitions/B' } },
      required: ['a'],
      definitions: { B: { type: 'array', items: { type: 'string' } } },
    })
    expect(parameters).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'string' } } },
      required: ['a'],
    })
    expect(report).toEqual([])
  })

  it('A20 without parameters has none: Gemini refuses an object without keys', () => {
    const { tool } = forGemini({
      name: 'f',
      description: 'F.',
      inputSchema: { type: 'object', properties: {} },
    })
    expect(tool).toEqual({ name: 'f', description: 'F.' })
  })

  it.each([
    [
      { type: 'integer', exclusiveMinimum: 3 },
      { type: 'integer', minimum: 4 },
    ],
    [
      { type: 'number', exclusiveMinimum: 3 },
      { type: 'number', description: 'More than 3.' },
    ],
    [
      { type: 'string', format: 'email' },
      { type: 'string', description: 'Format: email.' },
    ],
    [
      { type: 'string', enum: ['', 'a'] },
      { type: 'string', description: 'Must be "", "a".' },
    ],
    [
      { enum: [1, 'a', null] },
      {
        anyOf: [{ type: 'integer' }, { type: 'string', enum: ['a'] }],
        nullable: true,
        description: 'Must be 1.',
      },
    ],
    [
      { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
      { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    ],
    [{ type: 'array' }, { type: 'array' }],
    [
      { type: 'object', additionalProperties: { type: 'number' }, propertyNames: { type: 'string' } },
      { type: 'object', description: 'Other keys may be added, with values that match {"type":"number"}.' },
    ],
    [
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'number', minimum: 1 } } },
          { properties: { a: { minimum: 3 } }, required: ['a'] },
        ],
      },
      { type: 'object', properties: { a: { type: 'number', minimum: 3 } }, required: ['a'] },
    ],
    [
      { type: 'string', not: { const: 'no' } },
      { type: 'string', description: 'Must not match {"const":"no"}.' },
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, if: { required: ['a'] }, else: false },
      { description: 'Follows the rule {"if":{"required":["a"]},"else":false}.' },
    ],
    [
      { type: ['string', 'array'], items: { type: 'string' }, maxLength: 3 },
      {
        anyOf: [
          { type: 'string', maxLength: 3 },
          { type: 'array', items: { type: 'string' } },
        ],
      },
    ],
    [
      { type: 'object', properties: { a: true, b: false }, required: ['a', 'c'] },
      { required: ['a'], description: 'Must have "c".' },
    ],
    [{ minimum: 1 }, { type: 'number', minimum: 1 }],
    [
      { description: 'D.', minLength: 2, anyOf: [{ type: 'string' }, { const: null }] },
      { type: 'string', minLength: 2, nullable: true, description: 'D.' },
    ],
    [
      { type: 'array', items: { type: 'string' }, contains: { const: 'a' }, minContains: 2 },
      { description: 'Has items that match {"const":"a"}. Must also match {"minContains":2}.' },
    ],
    [
      { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
      { type: 'array', maxItems: 2, items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    [
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', description: 'More than 1.' },
    ],
  ])('writes %j', (given, expected) => {
    expect(value(given).schema).toMatchObject(expected)
  })
})
