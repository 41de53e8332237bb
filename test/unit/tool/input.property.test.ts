import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../../src/tool/fingerprint.ts'
import { canonicalJson, copyJson, type JsonObject, type JsonValue } from '../../../src/tool/json-value.ts'
import { normalizeInput } from '../../../src/tool/normalize-input.ts'
import { tool } from '../../../src/tool/tool.ts'

const forbidden = ['__proto__', 'constructor', 'prototype']
const keys = fc.constantFrom('a', 'b', 'c', 'kind', 'toString', 'x.y')
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.string({ unit: 'binary' }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(keys, tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

/** Object schemas as generators make them: nested, with defaults, open or closed, and unions by a constant. */
const { objectSchema } = fc.letrec<{ objectSchema: JsonObject; node: JsonObject }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constant({ type: 'string' }),
    json.map((value) => ({ default: value })),
    fc.record({ type: fc.constant('array'), items: tie('node') }),
    fc.record({ anyOf: fc.tuple(tie('objectSchema'), tie('objectSchema')) }),
    tie('objectSchema'),
  ),
  objectSchema: fc
    .record(
      {
        properties: fc.dictionary(keys, tie('node'), { maxKeys: 3, noNullPrototype: true }),
        additionalProperties: fc.constantFrom(true, false),
      },
      { requiredKeys: ['properties'] },
    )
    .map((schema) => ({ type: 'object', ...schema }) as JsonObject),
}))
const objects = fc.dictionary(keys, json, { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<JsonObject>

// The property is synchronous, and so throws here; the linter takes the result for a promise.
function check<Values>(property: fc.IProperty<Values>): void {
  void fc.assert(property)
}

describe('normalizeInput', () => {
  it('changes nothing in its own output', () => {
    check(
      fc.property(objectSchema, objects, (schema, input) => {
        const { input: once } = normalizeInput(schema, input)
        expect(normalizeInput(schema, once)).toEqual({ input: once, droppedKeys: [] })
      }),
    )
  })

  it('drops exactly the unknown keys, fills in exactly the absent defaults, and loses no known key', () => {
    check(
      fc.property(objectSchema, objects, (schema, input) => {
        const properties = schema.properties as Record<string, JsonObject>
        const { input: output, droppedKeys } = normalizeInput(schema, input)
        const known = (key: string) =>
          Object.hasOwn(properties, key) || schema.additionalProperties !== undefined
        const given = Object.keys(input).filter(known)
        const filled = Object.keys(properties).filter(
          (key) => !Object.hasOwn(input, key) && properties[key]?.default !== undefined,
        )
        expect(Object.keys(output).sort()).toEqual([...given, ...filled].sort())
        const atRoot = Object.keys(input).filter((key) => !known(key))
        expect(droppedKeys.filter((path) => Object.hasOwn(input, path)).sort()).toEqual(
          expect.arrayContaining(atRoot.sort()),
        )
      }),
    )
  })

  it('never changes its input', () => {
    check(
      fc.property(objectSchema, objects, (schema, input) => {
        const before = JSON.stringify(input)
        normalizeInput(schema, input)
        expect(JSON.stringify(input)).toBe(before)
      }),
    )
  })
})

describe('copyJson', () => {
  it('equals what JSON makes of a plain value', () => {
    check(
      fc.property(json, (value) => {
        expect(copyJson(value)).toEqual({ value: JSON.parse(JSON.stringify(value)) })
      }),
    )
  })

  it('never lets a key through that reaches a prototype', () => {
    const hostile = fc.dictionary(fc.constantFrom('a', ...forbidden), fc.jsonValue(), {
      noNullPrototype: true,
    })
    check(
      fc.property(fc.record({ deep: fc.array(hostile, { maxLength: 2 }) }), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value))
        const text = JSON.stringify(parsed)
        const has = forbidden.some((key) => text.includes(`"${key}":`))
        const copied = copyJson(parsed)
        expect(copied.issues !== undefined).toBe(has)
      }),
    )
  })

  it('ends quickly for a graph in which everything refers to everything', () => {
    const nodes = Array.from({ length: 40 }, () => ({ others: [] as unknown[] }))
    for (const node of nodes) node.others.push(...nodes)
    expect(copyJson(nodes[0]).issues?.[0]?.message).toContain('cycle')
  })

  it.each([
    ['NaN', { a: Number.NaN }, 'NaN is not a JSON number'],
    ['a function', { a: () => 1 }, 'a function is not a JSON value'],
    ['a bigint', { a: 1n }, 'a bigint is not a JSON value'],
    ['a map', { a: new Map() }, 'a Map is not a JSON value'],
  ])('names the place of %s', (_what, value, message) => {
    expect(copyJson(value).issues).toEqual([{ path: 'a', message }])
  })

  it('reads a proxy as what it shows, a date as text, -0 as 0, and holes as null', () => {
    const shown = new Proxy({ at: new Date(0), zero: -0, gone: undefined, list: new Array(1) }, {})
    expect(copyJson(shown)).toStrictEqual({
      value: { at: '1970-01-01T00:00:00.000Z', zero: 0, list: [null] },
    })
  })
})

describe('canonicalJson', () => {
  it('does not depend on the order of keys, and tells different values apart', () => {
    check(
      fc.property(objects, json, (object, other) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse())
        expect(canonicalJson(reversed)).toBe(canonicalJson(object))
        expect(JSON.parse(canonicalJson(other))).toEqual(other)
      }),
    )
  })
})

describe('fingerprint', () => {
  it('changes with every field of the definition', async () => {
    const { definition } = tool({ name: 'a', description: 'A.', execute: () => 1 })
    const changes = [
      { name: 'b' },
      { description: 'B.' },
      { inputSchema: { type: 'object', properties: { a: {} } } },
      { outputSchema: { type: 'object' } },
      { parallelSafe: true },
      { needsApproval: true },
      { labels: { ...definition.labels, effect: 'none' as const } },
      { timeoutMs: 5 },
      { version: '2' },
      { metadata: { a: 1 } },
    ]
    const prints = await Promise.all(
      [{}, ...changes].map((change) => fingerprint({ ...definition, ...change })),
    )
    expect(new Set(prints).size).toBe(prints.length)
    expect(await fingerprint({ ...definition })).toBe(prints[0])
  })
})
