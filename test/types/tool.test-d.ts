import { type } from 'arktype'
import {
  Agent,
  jsonSchema,
  type ModelAdapter,
  parameters,
  type RunContext,
  Tool,
  ToolRegistry,
  tool,
} from 'offstage'
import * as v from 'valibot'
import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

interface MyDeps {
  readonly user: string
}

declare const model: ModelAdapter
const base = { name: 't', description: 'T.' } as const

describe('tool()', () => {
  test('infers the input from Valibot, after transforms and defaults', () => {
    const inputSchema = v.object({
      id: v.pipe(v.string(), v.transform(Number)),
      days: v.optional(v.number(), 3),
      note: v.optional(v.string()),
    })
    const made = tool({
      ...base,
      inputSchema,
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ id: number; days: number; note?: string | undefined }>()
      },
    })
    expectTypeOf(made.name).toEqualTypeOf<'t'>()
    expectTypeOf<NonNullable<(typeof made)['~types']>['wire']>().toEqualTypeOf<{
      id: string
      days?: number | undefined
      note?: string | undefined
    }>()
  })

  test('infers the input from zod and ArkType', () => {
    const fromZod = z.object({ id: z.string().transform(Number), days: z.number().default(3) })
    tool({
      ...base,
      inputSchema: fromZod,
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ id: number; days: number }>(),
    })
    tool({
      ...base,
      inputSchema: type({ id: 'string.numeric.parse' }),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ id: number }>(),
    })
  })

  test('takes the type given to jsonSchema, and an empty object without a schema', () => {
    tool({
      ...base,
      inputSchema: jsonSchema<{ city: string }>({ type: 'object' }),
      execute: ({ city }) => expectTypeOf(city).toEqualTypeOf<string>(),
    })
    tool({ ...base, execute: (input) => expectTypeOf(input).toEqualTypeOf<Record<string, never>>() })
    tool({ ...base, inputSchema: parameters([{ name: 'a' }]), execute: ({ a }) => a })
  })

  test('gives the input to every option that is a function', () => {
    tool({
      ...base,
      inputSchema: v.object({ path: v.string() }),
      parallelSafe: true,
      concurrencyKey: ({ path }) => path,
      needsApproval: ({ path }) => path === '',
      effect: ({ path }) => (path === '' ? 'none' : 'local'),
      execute: () => 1,
    })
  })

  test('refuses wrong options and wrong parameters', () => {
    // @ts-expect-error there is no such option
    tool({ ...base, maxTries: 2, execute: () => 1 })
    // @ts-expect-error a number is no description
    tool({ name: 't', description: 5, execute: () => 1 })
    // @ts-expect-error a key is text
    tool({ ...base, parallelSafe: true, concurrencyKey: () => 5, execute: () => 1 })
    // @ts-expect-error the schema gives a number
    tool({ ...base, inputSchema: v.object({ a: v.number() }), execute: ({ a }: { a: string }) => a })
    // @ts-expect-error there is no such effect
    tool({ ...base, effect: 'some', execute: () => 1 })
    // @ts-expect-error a raw JSON Schema must be wrapped
    tool({ ...base, inputSchema: { type: 'object' }, execute: () => 1 })
  })

  test('binds a tool with deps to agents that have them', () => {
    const needsDeps = tool({
      ...base,
      inputSchema: v.object({ a: v.string() }),
      execute: ({ a }, context: RunContext<MyDeps>) => {
        expectTypeOf(context.deps.user).toEqualTypeOf<string>()
        return a
      },
    })
    new Agent<MyDeps>({ model, tools: [needsDeps], deps: { user: 'Ada' } })
    // @ts-expect-error other deps
    new Agent<{ readonly other: number }>({ model, tools: [needsDeps] })
  })
})

describe('Tool', () => {
  test('is extended as its example says', () => {
    class Counter extends Tool<{ by: number }> {
      #count = 0
      constructor() {
        super({ name: 'count', description: 'Count up.', inputSchema: v.object({ by: v.number() }) })
      }
      execute({ by }: { by: number }): number {
        this.#count += by
        return this.#count
      }
    }
    new Agent({ model, tools: [new Counter()] })
    class Wrong extends Tool<{ by: number }> {
      constructor() {
        // @ts-expect-error the schema gives something else
        super({ name: 'count', description: 'Count.', inputSchema: v.object({ by: v.string() }) })
      }
      execute(): number {
        return 1
      }
    }
    new Agent({ model, tools: [new Wrong()] })
  })
})

describe('ToolRegistry', () => {
  test('takes any tool, whatever its input and deps', () => {
    const registry = new ToolRegistry()
    const plain = tool({ ...base, execute: () => 1 })
    const rich = tool({
      ...base,
      inputSchema: v.object({ a: v.string() }),
      execute: ({ a }, _context: RunContext<MyDeps>) => a,
    })
    registry.register(plain)
    registry.register(rich)
    registry.registerAll([plain, rich, { ...base, execute: () => 1 }])
    registry.registerFunction(
      ({ a }) => expectTypeOf(a).toEqualTypeOf<string>(),
      'f',
      'F.',
      v.object({ a: v.string() }),
    )
    // @ts-expect-error not a tool
    registry.register({ name: 'x' })
  })
})
