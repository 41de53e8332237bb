import { forAnthropic } from 'offstage'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/tool/json-value.ts'
import { anthropicFaults } from '../../support/dialects/anthropic-grammar.ts'

/** What is sent for a schema. */
function sent(inputSchema: object, options: { readonly strict?: boolean } = {}) {
  const projection = forAnthropic(
    { name: 'f', description: 'F.', inputSchema: inputSchema as JsonObject },
    options,
  )
  expect(anthropicFaults(projection.tool)).toEqual([])
  return { ...projection, ...projection.tool }
}

describe('a tool for Anthropic', () => {
  it('A03 has no union at its root: the description says it', () => {
    const { description, input_schema } = sent({
      type: 'object',
      properties: { route: { type: 'string' }, file: { type: 'string' } },
      anyOf: [{ required: ['route'] }, { required: ['file'] }],
    })
    expect(input_schema).not.toHaveProperty('anyOf')
    expect(description).toBe('F. Must have at least one of these groups of keys: route; file.')
  })

  it('A16 has keys that its API takes, all different, and the arguments come back with their own', () => {
    const { input_schema, decode, encode } = sent({
      type: 'object',
      properties: {
        'filter[name]': { type: 'string' },
        filter_name_: { type: 'string' },
        'exists[parent]': { type: 'boolean' },
      },
      required: ['filter[name]'],
    })
    expect(Object.keys(Object(input_schema.properties))).toEqual([
      'filter_name__2',
      'filter_name_',
      'exists_parent_',
    ])
    expect(input_schema.required).toEqual(['filter_name__2'])
    const own = { 'filter[name]': 'a', filter_name_: 'b', 'exists[parent]': true }
    expect(decode({ filter_name__2: 'a', filter_name_: 'b', exists_parent_: true })).toEqual(own)
    expect(decode(encode(own))).toEqual(own)
  })

  it('has renamed keys mapped back in lists, unions, open objects and recursion', () => {
    const inner = { type: 'object', properties: { 'a b': { type: 'number' } }, required: ['a b'] }
    const { decode, encode } = sent({
      type: 'object',
      $defs: {
        Tree: { type: 'object', properties: { 'k!': { $ref: '#/$defs/Tree' }, n: { type: 'number' } } },
      },
      properties: {
        list: { type: 'array', items: inner },
        either: { anyOf: [{ type: 'string' }, inner] },
        open: { type: 'object', additionalProperties: inner },
        patterned: {
          type: 'object',
          patternProperties: { '^x': inner },
          additionalProperties: { type: 'number' },
        },
        tree: { $ref: '#/$defs/Tree' },
      },
    })
    const own = {
      ...{ list: [{ 'a b': 1 }], either: { 'a b': 2 }, open: { 'c d': { 'a b': 3 } } },
      ...{ patterned: { x1: { 'a b': 4 }, y: 5 }, tree: { 'k!': { 'k!': { n: 1 } } } },
    }
    const wire = encode(own)
    expect(wire).toEqual({
      ...{ list: [{ a_b: 1 }], either: { a_b: 2 }, open: { 'c d': { a_b: 3 } } },
      ...{ patterned: { x1: { a_b: 4 }, y: 5 }, tree: { k_: { k_: { n: 1 } } } },
    })
    expect(decode(wire)).toEqual(own)
  })

  it('leaves what does not look like the schema as it came', () => {
    const { decode } = sent({
      type: 'object',
      properties: { 'a b': { type: 'array', items: { type: 'object', properties: { 'c d': {} } } } },
    })
    for (const input of [{ a_b: 'text' }, { a_b: [1, null] }, { other: 1 }, {}]) {
      const { a_b: value, ...rest } = input as { a_b?: unknown }
      expect(decode(input as JsonObject)).toEqual({ ...rest, ...('a_b' in input ? { 'a b': value } : {}) })
    }
  })

  it('in strict mode is closed and has its bounds in words', () => {
    const { input_schema, strict } = sent(
      {
        type: 'object',
        properties: {
          n: { type: 'integer', minimum: 1, maximum: 9 },
          t: { type: 'string', maxLength: 5, pattern: '^a' },
          l: { type: 'array', items: { type: ['string', 'null'] }, minItems: 2, maxItems: 4 },
        },
      },
      { strict: true },
    )
    expect(strict).toBe(true)
    expect(input_schema).toEqual({
      ...{ type: 'object', additionalProperties: false },
      properties: {
        n: { type: 'integer', description: 'At least 1. At most 9.' },
        t: { type: 'string', description: 'At most 5 characters. Must match the regular expression ^a.' },
        l: {
          ...{ type: 'array', description: 'At least 2 items. At most 4 items.' },
          items: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
      },
    })
  })

  it('A10 is not strict when it contains itself', () => {
    const { strict, report } = sent(
      {
        type: 'object',
        properties: { kids: { type: 'array', items: { $ref: '#' } } },
        additionalProperties: false,
      },
      { strict: true },
    )
    expect(strict).toBe(false)
    expect(report[0]?.became).toBe('strict: false, as "kids.*" contains itself')
  })
})
