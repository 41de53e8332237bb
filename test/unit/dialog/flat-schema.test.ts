import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flatSchema } from '../../../src/dialog/flat-schema.ts'
import { jsonSchema } from '../../../src/tool/json-schema.ts'
import type { JsonObject } from '../../../src/tool/json-value.ts'

const field = (schema: JsonObject) => {
  const { properties } = flatSchema({ type: 'object', properties: { field: schema } })
  return (properties as JsonObject).field
}

describe('flatSchema', () => {
  it.each([
    [
      { type: 'string', title: 'Name', description: 'In full', minLength: 1, format: 'email', default: 'a' },
      { type: 'string', description: 'Name – In full', minLength: 1, format: 'email', default: 'a' },
    ],
    [
      { type: 'integer', minimum: 1, maximum: 2, default: 1 },
      { type: 'integer', minimum: 1, maximum: 2, default: 1 },
    ],
    [
      { type: 'boolean', default: false },
      { type: 'boolean', default: false },
    ],
    [
      { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], default: 'b' },
      {
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
        default: 'b',
      },
    ],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, maxItems: 1, default: ['a'] },
      { type: 'array', items: { oneOf: [{ const: 'a', title: 'A' }] }, maxItems: 1, default: ['a'] },
    ],
  ] as [JsonObject, JsonObject][])('keeps of %j what the protocol knows', (given, kept) => {
    expect(field(given)).toEqual(kept)
  })

  it('leaves out patterns, references, other formats, and values of a wrong type', () => {
    const given = {
      type: 'string',
      pattern: '(a+)+$',
      $ref: '#',
      format: 'regex',
      minLength: '1',
      default: 5,
    }
    expect(field(given)).toEqual({ type: 'string' })
  })

  it.each([
    { type: 'object' },
    { type: ['string', 'null'] },
    { type: 'array', items: { type: 'string' } },
    { type: 'string', oneOf: [{ const: 1 }] },
    { type: 'string', enum: [] },
    {},
  ] as JsonObject[])('refuses %j', (given) => {
    expect(() => field(given)).toThrow('"field"')
  })

  it('makes a schema that can check, or refuses, whatever a server sends', () => {
    const word = fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'email', 'a', 'b')
    const any = fc.oneof(
      fc.jsonValue(),
      word,
      fc.array(fc.record({ const: fc.oneof(word, fc.jsonValue()), title: word })),
    )
    const keys = [
      'type',
      'title',
      'enum',
      'enumNames',
      'oneOf',
      'anyOf',
      'items',
      'default',
      'format',
      'minLength',
      'maximum',
      'pattern',
      'const',
    ]
    const one = fc.dictionary(fc.constantFrom(...keys), any)
    fc.assert(
      fc.property(fc.dictionary(fc.string(), one), fc.jsonValue(), (properties, required) => {
        let flat: JsonObject
        try {
          flat = flatSchema({ properties, required } as JsonObject)
        } catch (error) {
          expect(String(error)).toMatch(/^Error: The server asks for /)
          return
        }
        expect(JSON.stringify(flat)).not.toContain('"pattern":')
        expect(() => jsonSchema(flat)['~standard'].validate({})).not.toThrow()
      }),
    )
  })
})
