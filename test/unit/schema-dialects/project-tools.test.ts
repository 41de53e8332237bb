import {
  describePortability,
  forAnthropic,
  forGemini,
  forMCP,
  forOpenAI,
  jsonSchema,
  type Project,
  projectTools,
  ToolRegistry,
  tool,
} from 'offstage'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { everyProjection } from '../../support/dialects/every-projection.ts'

const providers: readonly Project<unknown>[] = [forOpenAI, forAnthropic, forGemini, forMCP]
const object = { type: 'object', properties: {} }
const named = (name: string, inputSchema: object = object) => ({
  ...{ name, description: 'F.', inputSchema: inputSchema as Record<string, never> },
})

describe('the tools of a request', () => {
  it('A25 are sent without the one that cannot be, and it is said why', () => {
    const good = Array.from({ length: 30 }, (_, at) => named(`good_${at}`))
    const bad = named('bad', { type: 'array' })
    for (const project of providers) {
      const { tools, setAside } = projectTools([...good.slice(0, 9), bad, ...good.slice(9)], project)
      expect(tools).toHaveLength(30)
      expect(setAside).toEqual([
        { name: 'bad', reason: expect.stringMatching(/tool "bad".*root must be an object/) },
      ])
      expect(() => projectTools([...good, bad], project, { onInvalid: 'throw' })).toThrow(/tool "bad"/)
    }
  })

  it('A25 of a registry fail where they are registered, or are set aside there', () => {
    const wrong = {
      name: 'bad',
      description: 'F.',
      inputSchema: jsonSchema({ type: 'array' }),
      execute: () => 1,
    }
    expect(() => new ToolRegistry().registerAll([wrong])).toThrow(/"bad".*root must be an object/)
    const registry = new ToolRegistry()
    const { setAside } = registry.registerAll(
      [wrong, { ...wrong, name: 'good', inputSchema: jsonSchema(object) }],
      {
        onInvalid: 'setAside',
      },
    )
    expect(setAside.map(({ name }) => name)).toEqual(['bad'])
    expect(registry.toOpenAISchema().map((one) => one.function.name)).toEqual(['good'])
  })

  it('A18 have names that the provider takes, and each leads back to its tool', () => {
    const { tools, wireName, byWireName } = projectTools([named('calendar.respondToEvent')], forOpenAI)
    expect(tools[0]?.function.name).toBe('calendar_respondToEvent')
    expect(wireName('calendar.respondToEvent')).toBe('calendar_respondToEvent')
    expect(byWireName('calendar_respondToEvent')?.toolName).toBe('calendar.respondToEvent')
    expect(byWireName('calendar.respondToEvent')).toBeUndefined()
  })

  it('have different names, in whatever order they come, and a name that may stay stays', () => {
    const long = 'x'.repeat(80)
    const names = ['a.b', 'a_b', 'a b', 'a:b', '搜索', '查找', `${long}1`, `${long}2`, '']
    const wired = (order: readonly string[]) => {
      const { tools, wireName } = projectTools(
        order.map((name) => named(name)),
        forOpenAI,
      )
      const sent = tools.map((one) => one.function.name)
      expect(new Set(sent).size).toBe(names.length)
      for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      return new Map(names.map((name) => [name, wireName(name)]))
    }
    const first = wired(names)
    expect(first.get('a_b')).toBe('a_b')
    expect(wired(names.toReversed())).toEqual(first)
    expect(projectTools([named('3d')], forGemini).tools[0]?.name).toBe('_3d')
    expect(projectTools([named('a.b')], forMCP).tools[0]?.name).toBe('a.b')
  })
})

describe('a hostile schema', () => {
  const bomb = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => {
      const next = { $ref: `#/$defs/d${at + 1}` }
      return [`d${at}`, { type: 'object', properties: { a: next, b: next } }]
    }),
  )
  let deep: object = { type: 'string' }
  for (let level = 0; level < 20_000; level += 1) deep = { type: 'array', items: deep }

  it.each([
    [
      'of references that double',
      {
        type: 'object',
        $defs: { ...bomb, d40: { type: 'string' } },
        properties: { x: { $ref: '#/$defs/d0' } },
      },
    ],
    [
      'that is a union within itself',
      {
        type: 'object',
        $defs: {
          U: { type: 'object', anyOf: [{ $ref: '#/$defs/V' }, { properties: { a: {} } }] },
          V: {
            type: 'object',
            properties: {
              u: { $ref: '#/$defs/U' },
              v: { allOf: [{ $ref: '#/$defs/U' }, { required: ['u'] }] },
            },
          },
        },
        properties: { x: { $ref: '#/$defs/U' } },
      },
    ],
    [
      'with keys that reach a prototype',
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
      ),
    ],
    [
      'of a root that is also a union of unions',
      {
        anyOf: [
          { oneOf: [object, { type: 'object', properties: { a: { type: 'string' } } }] },
          { type: 'string' },
          { type: 'object', allOf: [{ properties: { a: { type: 'number' } } }] },
        ],
      },
    ],
  ])('%s is sent all the same', (_what, schema) => {
    for (const project of Object.values(everyProjection))
      expect(project(named('f', schema)).faults).toEqual([])
  })

  it.each([
    [
      'that leads to nothing',
      { type: 'object', properties: { x: { $ref: '#/$defs/none' } } },
      'leads to nothing',
    ],
    [
      'from elsewhere',
      { type: 'object', properties: { x: { $ref: 'https://a.test/s' } } },
      'leads to nothing',
    ],
    [
      'in circles',
      {
        type: 'object',
        $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
        properties: { x: { $ref: '#/$defs/a' } },
      },
      'back to itself',
    ],
    [
      'of a type that does not exist',
      { type: 'object', properties: { x: { type: 'float' } } },
      '"float" is no type',
    ],
    ['of what is no schema', { type: 'object', properties: { x: 'string' } }, 'expected a schema'],
    ['too deep to be read', { type: 'object', properties: { x: deep } }, 'nested too deeply'],
    ['that nothing fits', { type: 'object', allOf: [{ type: 'string' }] }, 'root must be an object'],
    ['that is missing', undefined, 'root must be an object'],
  ])('%s sets its tool aside', (_what, schema, why) => {
    for (const project of providers.slice(0, 3)) {
      const { setAside } = projectTools([{ ...named('f'), inputSchema: schema as never }], project)
      expect(setAside[0]?.reason).toContain(why)
    }
  })
})

describe('a tool for MCP', () => {
  it('has its schema as it is and its labels as hints', () => {
    const { definition } = tool({
      ...{
        name: 'f',
        description: 'F.',
        effect: 'none',
        execute: () => 1,
        inputSchema: v.object({ a: v.literal(1) }),
      },
    })
    const { tool: told, report } = forMCP(definition)
    expect(told.inputSchema).toEqual(definition.inputSchema)
    expect(told.annotations).toEqual({ readOnlyHint: true, openWorldHint: false })
    expect(report).toEqual([])
  })

  it('of an old draft is written anew', () => {
    const { tool: told } = forMCP(
      named('f', {
        ...{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
        properties: { items: { items: [{ type: 'string' }], additionalItems: false } },
      }),
    )
    expect(told.inputSchema).toEqual({
      type: 'object',
      properties: { items: { prefixItems: [{ type: 'string' }], items: false } },
    })
  })
})

describe('the portability of a tool', () => {
  it('is told in a line for each provider', () => {
    const { definition } = tool({
      ...{ name: 'f', description: 'F.', execute: () => 1 },
      inputSchema: v.object({ mode: v.literal(2), 'a b': v.optional(v.string()) }),
    })
    expect(describePortability(definition).split('\n')).toEqual([
      'OpenAI: as it is.',
      'OpenAI in strict mode: at "a b" optional → required, where null stands for absent.',
      'Anthropic: at "a b" the key "a b" → another key, which is mapped back.',
      'Anthropic in strict mode: at "a b" the key "a b" → another key, which is mapped back.',
      'Gemini: at "mode" enum of what is no text → words in the description; at "a b" the key "a b" → another key, which is mapped back.',
      'MCP: as it is.',
    ])
    expect(describePortability(named('f', { type: 'array' }))).toMatch(
      /^OpenAI: refused\. tool "f".*\n.*\n.*\n.*\n.*\nMCP: refused/,
    )
  })
})
