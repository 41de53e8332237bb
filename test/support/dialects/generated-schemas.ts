import fc from 'fast-check'
import { type JsonObject, type ToolDefinition, tool } from 'offstage'
import * as v from 'valibot'

/** A Valibot schema, and values that fit it. */
export interface GeneratedSchema {
  readonly schema: v.GenericSchema
  readonly value: fc.Arbitrary<unknown>
}

const words = fc.constantFrom(
  'a',
  'name',
  'filter[name]',
  'filter_name_',
  'exists[parent]',
  '城市',
  'x y',
  'k-1',
  '$id',
)
// What describes a schema, or would be taken for one of its keywords.
const keys = fc.uniqueArray(
  fc.oneof(words, fc.constantFrom('type', 'enum', 'items', 'properties', 'default')),
  {
    maxLength: 4,
  },
)

const text = fc.constantFrom('', 'a', 'b', 'héllo', 'x'.repeat(20))
const whole = fc.integer({ min: -20, max: 20 })

const leaves: fc.Arbitrary<GeneratedSchema> = fc.oneof(
  fc.constant({ schema: v.string(), value: text }),
  fc.constant({
    schema: v.pipe(v.string(), v.minLength(2), v.maxLength(9)),
    value: fc.constantFrom('ab', 'cdefg'),
  }),
  fc.constant({ schema: v.pipe(v.string(), v.regex(/^(?=a)\w+$/)), value: fc.constantFrom('ab', 'a1') }),
  fc.constant({ schema: v.pipe(v.string(), v.email()), value: fc.constant('a@b.org') }),
  fc.constant({ schema: v.pipe(v.string(), v.url()), value: fc.constant('https://a.test/') }),
  fc.constant({ schema: v.pipe(v.string(), v.isoDate()), value: fc.constant('2026-12-01') }),
  fc.constant({ schema: v.pipe(v.number(), v.gtValue(3)), value: fc.constantFrom(3.5, 4) }),
  fc.constant({
    schema: v.pipe(v.number(), v.integer(), v.gtValue(3), v.ltValue(9)),
    value: fc.constantFrom(4, 8),
  }),
  fc.constant({
    schema: v.pipe(v.number(), v.multipleOf(2), v.minValue(0)),
    value: fc.constantFrom(0, 2, 8),
  }),
  fc.constant({ schema: v.boolean(), value: fc.boolean() }),
  fc.constant({ schema: v.null(), value: fc.constant(null) }),
  fc.constant({ schema: v.unknown(), value: fc.oneof(text, whole, fc.boolean()) }),
  fc.constant({ schema: v.picklist(['a', '', 'c']), value: fc.constantFrom('a', '', 'c') }),
  fc.constant({ schema: v.picklist([1, 2]), value: fc.constantFrom(1, 2) }),
  fc.constantFrom('fast', 2, true, 1.5).map((one) => ({ schema: v.literal(one), value: fc.constant(one) })),
  fc.constant({
    schema: v.union([v.literal('a'), v.literal('b'), v.literal(3)]),
    value: fc.constantFrom('a', 'b', 3),
  }),
  fc.constant({
    schema: v.pipe(v.string(), v.description('What it is.'), v.title('It')),
    value: text,
  }),
)

/** A schema that contains itself. */
interface Tree {
  readonly 'the name': string
  readonly kids?: readonly Tree[] | undefined
}
const tree: v.GenericSchema<Tree> = v.object({
  'the name': v.string(),
  kids: v.optional(v.array(v.lazy(() => tree))),
})
const trees: GeneratedSchema = {
  schema: tree,
  value: fc.constantFrom(
    { 'the name': 'a' },
    { 'the name': 'a', kids: [{ 'the name': 'b', kids: [{ 'the name': 'c', kids: [] }] }] },
  ),
}

const { node } = fc.letrec<{ node: GeneratedSchema; object: GeneratedSchema }>((tie) => ({
  object: keys.chain((names) =>
    fc
      .tuple(...names.map(() => fc.tuple(tie('node'), fc.constantFrom('is', 'optional', 'nullish'))))
      .chain((parts) =>
        fc
          .constantFrom(v.object, v.object, v.object, v.strictObject, v.strictObject, v.looseObject)
          .map((make) => objectOf(names, parts, make)),
      ),
  ),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: leaves, weight: 16 },
    fc.constant(trees),
    { arbitrary: tie('object'), weight: 4 },
    tie('node').map(({ schema, value }) => ({
      schema: v.pipe(v.array(schema), v.maxLength(3)),
      value: fc.array(value, { maxLength: 3 }),
    })),
    tie('node').map(({ schema, value }) => ({
      schema: v.nullable(schema),
      value: fc.oneof(value, fc.constant(null)),
    })),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => ({
      schema: v.tuple([one.schema, other.schema]),
      value: fc.tuple(one.value, other.value),
    })),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => ({
      schema: v.tupleWithRest([one.schema], other.schema),
      value: fc
        .tuple(one.value, fc.array(other.value, { maxLength: 2 }))
        .map(([first, rest]) => [first, ...rest]),
    })),
    tie('node').map(({ schema, value }) => ({
      schema: v.record(v.string(), schema),
      value: fc.dictionary(fc.constantFrom('p', 'q r'), value, { maxKeys: 2 }),
    })),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => ({
      schema: v.objectWithRest({ 'own key': one.schema }, other.schema),
      value: fc.tuple(one.value, other.value).map(([own, more]) => ({ 'own key': own, more })),
    })),
    fc.tuple(tie('object'), tie('object')).map(([one, other]) => variantOf(one, other)),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => ({
      schema: v.union([one.schema, other.schema]),
      value: fc.oneof(one.value, other.value),
    })),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => ({
      schema: v.intersect([v.object({ 'l m': one.schema }), v.object({ r: other.schema })]),
      value: fc.tuple(one.value, other.value).map(([left, right]) => ({ 'l m': left, r: right })),
    })),
  ),
}))

type Part = readonly [GeneratedSchema, string]

function objectOf(
  names: readonly string[],
  parts: readonly Part[],
  make: (entries: v.ObjectEntries) => v.GenericSchema,
): GeneratedSchema {
  const entries = names.map((name, index) => {
    const [{ schema, value }, kind] = parts[index] as Part
    if (kind === 'is') return { name, schema, value }
    const isNullish = kind === 'nullish'
    const absent = fc.constantFrom(undefined, ...(isNullish ? [null] : []))
    return {
      name,
      schema: isNullish ? v.nullish(schema) : v.optional(schema),
      value: fc.oneof(value, absent),
    }
  })
  const value = fc
    .tuple(...entries.map((entry) => entry.value))
    .map((given) =>
      Object.fromEntries(
        names.flatMap((name, index) => (given[index] === undefined ? [] : [[name, given[index]]])),
      ),
    )
  return { schema: make(Object.fromEntries(entries.map(({ name, schema }) => [name, schema]))), value }
}

function variantOf(one: GeneratedSchema, other: GeneratedSchema): GeneratedSchema {
  return {
    schema: v.variant('the kind', [
      v.object({ 'the kind': v.literal('one'), 'it is': one.schema }),
      v.object({ 'the kind': v.literal('other'), that: other.schema }),
    ]),
    value: fc.oneof(
      one.value.map((value) => ({ 'the kind': 'one', 'it is': value })),
      other.value.map((value) => ({ 'the kind': 'other', that: value })),
    ),
  }
}

/** Tools, each with some inputs that fit it. */
export const generatedTools: fc.Arbitrary<{ definition: ToolDefinition; inputs: readonly JsonObject[] }> =
  keys
    .chain((names) => {
      const part = fc.tuple(node, fc.constantFrom('is', 'optional', 'nullish'))
      return fc.tuple(fc.constant(names), fc.tuple(...names.map(() => part)))
    })
    .chain(([names, parts]) => {
      const { schema: inputSchema, value } = objectOf(names, parts, v.object)
      const { definition } = tool({ name: 'made', description: 'Made up.', inputSchema, execute: () => 1 })
      const inputs = fc.array(value, { minLength: 2, maxLength: 4 })
      return inputs.map((made) => ({ definition, inputs: made as JsonObject[] }))
    })
