import { type } from 'arktype'
import { jsonSchema, type StandardSchema, ToolRegistry, type ToolResult, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

function shown(inputSchema: unknown): unknown {
  return tool({ name: 't', description: 'T.', inputSchema: inputSchema as StandardSchema, execute: () => 1 })
    .definition.inputSchema
}

function propertyOf(inputSchema: unknown): unknown {
  return (shown(inputSchema) as { properties: { a: unknown } }).properties.a
}

/** Runs a call and gives the result with what `execute` got. */
async function run(inputSchema: unknown, input: unknown): Promise<ToolResult & { got?: unknown }> {
  const registry = new ToolRegistry()
  let got: unknown
  registry.register(
    tool({
      name: 't',
      description: 'T.',
      inputSchema: inputSchema as StandardSchema,
      execute: (value) => {
        got = value
      },
    }),
  )
  const result = await registry.executeTool('t', input)
  return { ...result, got }
}

function counter(): () => number {
  let count = 0
  return () => {
    count += 1
    return count
  }
}

describe('a Valibot schema', () => {
  it('A21 shows the model the input side of a transform, and execute gets its output', async () => {
    const schema = v.object({ userId: v.pipe(v.string(), v.transform(Number)) })
    expect(shown(schema)).toMatchObject({ properties: { userId: { type: 'string' } }, required: ['userId'] })
    const { call, got } = await run(schema, { userId: '42' })
    expect(call.input).toEqual({ userId: '42' })
    expect(got).toEqual({ userId: 42 })
  })

  it('A21 that cannot be expressed fails when the tool is defined', () => {
    expect(() => shown(v.object({ at: v.object({ when: v.date() }) }))).toThrow(
      /tool "t".*"at\.when".*"date" schema/,
    )
  })

  it('fills in defaults for everyone, and function defaults for execute only', async () => {
    const count = counter()
    const schema = v.object({
      a: v.optional(v.number(), 3),
      b: v.optional(v.string(), () => `made ${count()}`),
      c: v.nullish(v.string(), null),
    })
    expect(JSON.stringify(shown(schema))).not.toContain('made')
    const { call, got } = await run(schema, {})
    expect(call.input).toEqual({ a: 3, c: null })
    expect(got).toMatchObject({ a: 3, b: expect.stringMatching(/^made/), c: null })
    expect((await run(schema, {})).got).not.toEqual(got)
  })

  it('drops and reports unknown keys, rejects them when strict, keeps them when loose', async () => {
    const input = { a: 1, z: 2 }
    const dropped = await run(v.object({ a: v.number() }), input)
    expect([dropped.call.input, dropped.droppedKeys, dropped.got]).toEqual([{ a: 1 }, ['z'], { a: 1 }])
    const strict = await run(v.strictObject({ a: v.number() }), input)
    expect([strict.outcome, strict.response.text]).toEqual(['invalid', expect.stringContaining('z')])
    const loose = await run(v.looseObject({ a: v.number() }), input)
    expect([loose.call.input, loose.got, loose.droppedKeys]).toEqual([input, input, undefined])
  })

  it('drops unknown keys in nested objects, lists and records, with their paths', async () => {
    const inner = v.object({ x: v.optional(v.number(), 1) })
    const schema = v.object({ o: inner, l: v.array(inner), r: v.record(v.string(), inner) })
    const { call, droppedKeys } = await run(schema, { o: { y: 1 }, l: [{ y: 1 }], r: { k: { y: 1 } } })
    expect(call.input).toEqual({ o: { x: 1 }, l: [{ x: 1 }], r: { k: { x: 1 } } })
    expect(droppedKeys).toEqual(['o.y', 'l.0.y', 'r.k.y'])
  })

  it('narrows a variant by its key before it fills in defaults', async () => {
    const variant = v.variant('kind', [
      v.object({ kind: v.literal('a'), x: v.optional(v.number(), 1) }),
      v.object({ kind: v.literal('b'), y: v.optional(v.number(), 2) }),
    ])
    const { call } = await run(v.object({ u: variant }), { u: { kind: 'b', x: 9 } })
    expect(call.input).toEqual({ u: { kind: 'b', y: 2 } })
    const wrong = await run(v.object({ u: variant }), { u: { kind: 'c' } })
    expect(wrong.response.text).toMatch(/'u\.kind'.*received "c"/)
  })

  it('keeps the keys of every part of an intersection, and any key where a union takes any', async () => {
    const both = v.intersect([v.object({ x: v.number() }), v.record(v.string(), v.number())])
    expect((await run(v.object({ a: both }), { a: { x: 1, z: 2 } })).call.input).toEqual({
      a: { x: 1, z: 2 },
    })
    const open = v.union([v.object({ x: v.number() }), v.record(v.string(), v.string())])
    expect((await run(v.object({ a: open }), { a: { z: 's' } })).got).toEqual({ a: { z: 's' } })
  })

  it('may be recursive, also at its root', async () => {
    type Node = { v: number; kids?: Node[] | undefined }
    const node: v.GenericSchema<Node> = v.object({
      v: v.number(),
      kids: v.optional(v.array(v.lazy(() => node))),
    })
    const input = { v: 1, kids: [{ v: 2, kids: [{ v: 3 }] }] }
    expect((await run(node, input)).got).toEqual(input)
    expect(
      (
        await run(
          v.lazy(() => node),
          input,
        )
      ).got,
    ).toEqual(input)
  })

  it('shows a description that stands behind a transform', () => {
    const late = v.pipe(v.string(), v.transform(Number), v.description('user id'))
    expect(propertyOf(v.object({ a: v.optional(late) }))).toEqual({ type: 'string', description: 'user id' })
  })

  it('may be asynchronous', async () => {
    const schema = v.objectAsync({
      a: v.pipeAsync(
        v.string(),
        v.checkAsync(async (text) => text !== 'no', 'not no'),
      ),
    })
    expect((await run(schema, { a: 'yes' })).outcome).toBe('success')
    expect((await run(schema, { a: 'no' })).response.text).toContain("parameter 'a': not no")
  })

  it.each([
    ['trim', v.pipe(v.string(), v.trim(), v.minLength(2)), { type: 'string', minLength: 2 }],
    [
      'check',
      v.pipe(
        v.string(),
        v.check(() => true),
        v.maxLength(3),
      ),
      { type: 'string', maxLength: 3 },
    ],
    ['brand', v.pipe(v.string(), v.brand('Id')), { type: 'string' }],
    ['readonly', v.pipe(v.array(v.string()), v.readonly()), { type: 'array', items: { type: 'string' } }],
    ['words', v.pipe(v.string(), v.words('en', 2)), { type: 'string' }],
    ['tuple', v.tuple([v.string()]), { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1 }],
    ['nullable', v.nullable(v.string()), { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ])('converts %s', (_what, schema, expected) => {
    expect(propertyOf(v.object({ a: schema }))).toEqual(expected)
  })

  it.each([
    ['bigint', v.bigint()],
    ['map', v.map(v.string(), v.string())],
    ['custom', v.custom(() => true)],
    ['promise', v.promise()],
    ['undefined in a union', v.union([v.string(), v.undefined()])],
    ['NaN as a default', v.optional(v.number(), Number.NaN)],
    ['a pattern with flags', v.pipe(v.string(), v.regex(/a/i))],
  ])('with %s fails at definition, with the tool and the path', (_what, schema) => {
    expect(() => shown(v.object({ deep: v.object({ a: schema }) }))).toThrow(
      /tool "t", inputSchema:.*deep.*a/,
    )
  })

  it.each([
    ['a union', v.union([v.object({ a: v.string() }), v.object({ b: v.string() })]), 'v.picklist'],
    ['an intersection', v.intersect([v.object({ a: v.string() }), v.object({})]), 'the fields of all'],
    ['a list', v.array(v.string()), 'v.object({ value: … })'],
    ['anything', v.any(), 'must be an object, got {}'],
  ])('with %s at its root is refused with a hint', (_what, schema, hint) => {
    expect(() => shown(schema)).toThrow(hint)
  })
})

describe('a zod schema', () => {
  it('shows its input side with defaults, and execute gets its output', async () => {
    const schema = z.object({
      a: z.number().default(3),
      b: z.string().transform(Number),
      c: z.string().optional(),
    })
    expect(shown(schema)).toMatchObject({
      properties: { a: { type: 'number', default: 3 }, b: { type: 'string' } },
      required: ['b'],
    })
    const { call, got } = await run(schema, { b: '5', z: 1 })
    expect([call.input, got]).toEqual([
      { a: 3, b: '5' },
      { a: 3, b: 5 },
    ])
  })

  it('does not freeze a function default that changes', async () => {
    const count = counter()
    const schema = z.object({ a: z.string().default(() => `id ${count()}`) })
    expect(propertyOf(schema)).toEqual({ type: 'string' })
    const first = await run(schema, {})
    expect((await run(schema, {})).got).not.toEqual(first.got)
  })

  it('rejects unknown keys when strict', async () => {
    expect((await run(z.strictObject({ a: z.string() }), { a: 'x', z: 1 })).outcome).toBe('invalid')
  })

  it.each([
    ['date', z.object({ deep: z.object({ a: z.date() }) }), '"deep.a"'],
    ['bigint in a list', z.object({ l: z.array(z.bigint()) }), '"l.*"'],
    ['map', z.object({ m: z.map(z.string(), z.string()) }), '"m"'],
  ])('with a %s fails at definition, with the path', (_what, schema, path) => {
    expect(() => shown(schema)).toThrow(`tool "t", inputSchema: the schema at ${path} cannot be expressed`)
  })
})

describe('an ArkType schema', () => {
  it('shows its input side, and execute gets morphs and defaults', async () => {
    const schema = type({ a: 'string.numeric.parse', b: 'number = 3', 'c?': 'string' })
    expect(shown(schema)).toMatchObject({ properties: { a: { type: 'string' } }, required: ['a'] })
    expect((await run(schema, { a: '5', z: 1 })).got).toEqual({ a: 5, b: 3 })
  })

  it('rejects unknown keys when it says so', async () => {
    expect((await run(type({ '+': 'reject', a: 'string' }), { a: 'x', z: 1 })).outcome).toBe('invalid')
  })

  it('with a part that JSON cannot carry fails at definition, with the path', () => {
    expect(() => shown(type({ deep: { a: 'Date' } }))).toThrow(/schema at "deep\.a" cannot be expressed/)
    expect(() => shown(type({ a: 'bigint' }))).toThrow(/"a".*"bigint" has no form/)
  })
})

describe('a schema that cannot describe itself', () => {
  it('is refused with the name of its library', () => {
    const silent = {
      '~standard': { version: 1, vendor: 'silent', validate: (value: unknown) => ({ value }) },
    }
    expect(() => shown(silent)).toThrow(/this silent schema checks values but cannot describe itself/)
  })
})

describe('extra keys', () => {
  it('B26 are dropped where the schema is open and listed where it is closed', async () => {
    const open = await run(undefined, { kwargs: 'date' })
    expect([open.outcome, open.droppedKeys, open.got]).toEqual(['success', ['kwargs'], {}])
    const input = { a: 1, b: 2, explanation: 'sum' }
    const entries = { a: v.number(), b: v.number() }
    const dropped = await run(v.object(entries), input)
    expect([dropped.got, dropped.droppedKeys]).toEqual([{ a: 1, b: 2 }, ['explanation']])
    const properties = { a: { type: 'number' }, b: { type: 'number' } }
    const closed = [
      v.strictObject(entries),
      z.strictObject({ a: z.number(), b: z.number() }),
      jsonSchema({ type: 'object', properties, additionalProperties: false }),
    ]
    for (const schema of closed) {
      const { outcome, response, got } = await run(schema, input)
      expect([outcome, got]).toEqual(['invalid', undefined])
      expect(response.text).toContain('explanation')
    }
  })
})
