import {
  jsonSchema,
  parameters,
  Toolkit,
  type ToolMiddleware,
  ToolRegistrationError,
  ToolRegistry,
  tool,
} from 'offstage'
import { CalculatorTool } from 'offstage/tools'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'

function named<const Name extends string>(name: Name, text: string = name) {
  return tool({ name, description: `Says ${text}.`, execute: () => text })
}

const goodTools = Array.from({ length: 30 }, (_, index) => ({
  name: `good_${index}`,
  description: 'Works.',
  inputSchema: jsonSchema({ type: 'object', properties: { n: { type: 'number' } } }),
  execute: ({ n }: { n?: number }) => `${index}:${n}`,
}))
const badTool = {
  name: 'bad',
  description: 'Malformed.',
  inputSchema: jsonSchema({ type: 'array' }),
  execute: () => 'never',
}

describe('ToolRegistry', () => {
  it('A25 sets the malformed tool aside with its name and reason, and the other 30 work', async () => {
    const registry = new ToolRegistry()
    const report = registry.registerAll([...goodTools.slice(0, 15), badTool, ...goodTools.slice(15)], {
      onInvalid: 'setAside',
    })
    expect(report.setAside).toEqual([
      { name: 'bad', reason: expect.stringContaining('root must be an object') },
    ])
    expect(registry.toOpenAISchema().map((item) => item.function.name)).toEqual(
      goodTools.map(({ name }) => name),
    )
    const results = await Promise.all(goodTools.map(({ name }) => registry.executeTool(name, { n: 7 })))
    expect(results.map(({ response }) => response.text)).toEqual(goodTools.map((_, index) => `${index}:7`))
  })

  it('A25 under onInvalid "throw" is an error at registration, and nothing is registered', () => {
    const registry = new ToolRegistry()
    expect(() => registry.registerAll([...goodTools, badTool])).toThrow(/tool "bad".*root must be an object/)
    expect(registry.list()).toEqual([])
  })

  it('A25 sets aside a raw JSON Schema and one whose inside is wrong', () => {
    const { setAside } = new ToolRegistry().registerAll(
      [
        { ...badTool, name: 'raw', inputSchema: { type: 'array' } },
        {
          ...badTool,
          name: 'inside',
          inputSchema: jsonSchema({ type: 'object', properties: { a: { type: 'strng' } } }),
        },
      ],
      { onInvalid: 'setAside' },
    )
    expect(setAside.map(({ name }) => name)).toEqual(['raw', 'inside'])
    expect(setAside[0]?.reason).toContain('jsonSchema({ … })')
    expect(setAside[1]?.reason).toMatch(/"properties\.a\.type".*"strng" is not a type/)
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'takes %s as just a name',
    async (name) => {
      const registry = new ToolRegistry()
      expect(registry.get(name)).toBeUndefined()
      const unregister = registry.register(named(name, 'hello'))
      expect(registry.list().map((item) => item.name)).toEqual([name])
      expect(registry.toOpenAISchema([name])[0]?.function.name).toBe(name)
      expect(registry.catalog()).toBe(`- ${name}: Says hello.`)
      expect((await registry.executeTool(name)).response.text).toBe('hello')
      unregister()
      expect((await registry.executeTool(name)).outcome).toBe('unknown')
    },
  )

  it('refuses a name that is taken and names both origins', () => {
    const registry = new ToolRegistry()
    registry.register(new CalculatorTool())
    registry.register(named('a'))
    expect(() => registry.register(named('a'))).toThrow(
      /"a" is registered already \(origin "app".*overwrite: true/,
    )
    registry.register(named('a', 'new'), { overwrite: true })
    expect(registry.get('a')?.definition.description).toBe('Says new.')
    expect(registry.list().map((item) => item.name)).toEqual(['calculator', 'a'])
  })

  it('never lets a less trusted tool replace a more trusted one', () => {
    const registry = new ToolRegistry()
    const unregister = registry.register(new CalculatorTool())
    const fake = named('calculator')
    for (const attempt of [
      () => registry.register(fake, { overwrite: true }),
      () => registry.registerAll([fake], { onConflict: 'overwrite' }),
    ]) {
      expect(attempt).toThrow(/origin "app" cannot replace "calculator" of origin "builtin"/)
    }
    expect(registry.registerAll([fake], { onConflict: 'skip' }).skipped).toEqual(['calculator'])
    unregister()
    registry.register(fake)
    registry.register(new CalculatorTool(), { overwrite: true })
    expect(registry.get('calculator')).toBeInstanceOf(CalculatorTool)
  })

  it('L10 takes a file that a hot update loaded anew for the same owner', () => {
    const registry = new ToolRegistry()
    const file = 'http://localhost:5173/src/tools.ts'
    for (let edit = 0; edit < 10; edit += 1) {
      registry.register(named('a', `edit ${edit}`), { owner: `${file}?t=${edit}` })
      registry.registerAll([named('b', `edit ${edit}`)], { owner: edit === 0 ? file : `${file}?t=${edit}#b` })
    }
    expect(registry.get('a')?.definition.description).toBe('Says edit 9.')
    expect(registry.get('b')?.definition.description).toBe('Says edit 9.')
    expect(() => registry.register(named('a'), { owner: `${file}x?t=9` })).toThrow(ToolRegistrationError)
  })

  it('lets the same owner replace its tool, and an old unregister does not remove the newer one', () => {
    const registry = new ToolRegistry()
    const first = registry.register(named('a', 'first'), { owner: 'module' })
    const second = registry.register(named('a', 'second'), { owner: 'module' })
    first()
    expect(registry.get('a')?.definition.description).toBe('Says second.')
    expect(() => registry.register(named('a'), { owner: 'other' })).toThrow(ToolRegistrationError)
    second()
    expect(registry.get('a')).toBeUndefined()
  })

  it('refuses options that it does not know, and what is not a tool', () => {
    const registry = new ToolRegistry()
    expect(() => registry.register(named('a'), { overwrit: true } as object)).toThrow(
      'Did you mean "overwrite"?',
    )
    expect(() => registry.register({ name: 'a' } as never)).toThrow('Make one with tool({ … })')
    expect(() => registry.registerAll([named('a')], { onConflict: 'replace' as never })).toThrow(
      'expected "error", "skip" or "overwrite"',
    )
    expect(() => registry.registerAll(named('a') as never)).toThrow('expected a list of tools or a Toolkit')
    expect(registry.list()).toEqual([])
  })

  it.each([
    ['error', undefined],
    ['skip', { registered: ['b'], replaced: [], skipped: ['a'], setAside: [] }],
    ['overwrite', { registered: ['b'], replaced: ['a'], skipped: [], setAside: [] }],
  ] as const)('registers many with onConflict %s and reports what it did', (onConflict, report) => {
    const registry = new ToolRegistry()
    registry.register(named('a', 'old'))
    const add = () => registry.registerAll([named('b'), named('a', 'new')], { onConflict })
    if (report === undefined) {
      expect(add).toThrow(/two tools are named "a".*Nothing was registered/)
      expect(registry.list().map((item) => item.name)).toEqual(['a'])
    } else expect(add()).toEqual(report)
    expect(registry.get('a')?.definition.description).toBe(
      onConflict === 'overwrite' ? 'Says new.' : 'Says old.',
    )
  })

  it('finds two tools of one name inside the list', () => {
    const registry = new ToolRegistry()
    expect(() => registry.registerAll([named('a'), named('a')])).toThrow('two tools are named "a"')
    expect(
      registry.registerAll([named('a', '1'), named('a', '2')], { onConflict: 'overwrite' }).registered,
    ).toEqual(['a'])
    expect(registry.get('a')?.definition.description).toBe('Says 2.')
  })

  it('takes a toolkit and the plain options of tool()', async () => {
    const registry = new ToolRegistry()
    registry.registerAll(new Toolkit({ name: 'kit', tools: [named('a')], prefix: true }))
    registry.registerAll([{ name: 'plain', description: 'Plain.', execute: () => 'ok' }])
    expect(registry.list().map((item) => item.name)).toEqual(['kit_a', 'plain'])
    expect((await registry.executeTool('plain')).response.text).toBe('ok')
  })

  it('registers a function with a list of parameters', async () => {
    const registry = new ToolRegistry()
    const schema = parameters([{ name: 'city' }, { name: 'days', type: 'integer', default: 3 }])
    registry.registerFunction(({ city, days }) => `${city} ${days}`, 'weather', 'The weather.', schema)
    expect((await registry.executeTool('weather', { city: 'Oslo' })).response.text).toBe('Oslo 3')
    expect(() => registry.registerFunction(() => 1, 'x', 'X.', [{ name: 'a' }] as never)).toThrow(
      'parameters([ … ])',
    )
  })

  it('writes one line for each tool, whatever its description', () => {
    const registry = new ToolRegistry()
    expect(registry.catalog()).toBe('(no tools)')
    registry.register(tool({ name: 'a', description: 'First.\n\nSecond.', execute: () => 1 }))
    registry.register(named('b'))
    expect(registry.catalog()).toBe('- a: First. Second.\n- b: Says b.')
  })

  it('describes parameters for names in the given order, unknown skipped and duplicates once', () => {
    const registry = new ToolRegistry()
    registry.register(named('a'))
    registry.register(
      tool({
        name: 'b',
        description: 'B.',
        inputSchema: v.object({
          city: v.pipe(v.string(), v.description('city name')),
          days: v.optional(v.number(), 3),
          unit: v.optional(v.picklist(['c', 'f'])),
        }),
        execute: () => 1,
      }),
    )
    expect(registry.toolsDescription(['b', 'nope', 'a', 'b'])).toBe(
      [
        '- b: B.',
        '  - city (string, required): city name',
        '  - days (number, optional, default 3)',
        '  - unit ("c" | "f", optional)',
        '- a: Says a.',
      ].join('\n'),
    )
    expect(registry.toOpenAISchema(['b', 'nope', 'a', 'b']).map((item) => item.function.name)).toEqual([
      'b',
      'a',
    ])
    expect(() => registry.toOpenAISchema('a' as never)).toThrow('must be a list')
  })

  it('runs a tool with confirm, permissions, signal and deps of the call', async () => {
    const registry = new ToolRegistry()
    registry.register(
      tool({
        name: 'ask',
        description: 'Asks.',
        needsApproval: true,
        execute: (_input, { deps, approval }) => `${JSON.stringify(deps)} ${approval?.reason}`,
      }),
    )
    const confirm = () => ({ approved: true, reason: 'fine' })
    expect((await registry.executeTool('ask')).outcome).toBe('denied')
    expect((await registry.executeTool('ask', {}, { confirm, deps: { a: 1 } })).response.text).toBe(
      '{"a":1} fine\n(The user approved this with a note: fine)',
    )
    const permissions = { deny: ['ask'] }
    expect((await registry.executeTool('ask', {}, { confirm, permissions })).outcome).toBe('not-allowed')
    const signal = AbortSignal.abort()
    expect((await registry.executeTool('ask', {}, { confirm, signal })).outcome).toBe('cancelled')
    await expect(registry.executeTool('ask', {}, { timeout: 5 } as object)).rejects.toThrow(
      'Did you mean "timeoutMs"?',
    )
  })

  it('B25 refuses keys that reach a prototype before anybody sees them', async () => {
    const input = '{"path":"a.md","__proto__":{"confirmed":true},"constructor":{"x":1}}'
    const seen: unknown[] = []
    const middleware: ToolMiddleware[] = [{ before: (call) => void seen.push(Object.assign({}, call.input)) }]
    const execute = vi.fn()
    const registry = new ToolRegistry()
    const inputSchema = v.looseObject({ path: v.string() })
    registry.register(
      tool({ name: 'write', description: 'Writes.', inputSchema, needsApproval: true, execute }),
    )
    const confirm = vi.fn(() => true)
    for (const form of [input, JSON.parse(input)]) {
      const { outcome, response } = await registry.executeTool('write', form, { middleware, confirm })
      expect(outcome).toBe('invalid')
      expect(response.text).toContain('parameter \'__proto__\': the key "__proto__" is not accepted')
    }
    expect(seen).toEqual([])
    expect([execute, confirm].map((each) => each.mock.calls)).toEqual([[], []])
    expect(({} as { confirmed?: boolean }).confirmed).toBeUndefined()
  })

  it('is a source that tells of its changes until the listener is stopped', async () => {
    const registry = new ToolRegistry()
    const source = registry.toolset()
    const listener = vi.fn()
    const stop = source.subscribe?.(listener)
    const unregister = registry.register(named('a'))
    registry.registerAll([named('b')])
    expect((await source.list()).map(({ definition }) => definition.name)).toEqual(['a', 'b'])
    unregister()
    expect(listener).toHaveBeenCalledTimes(3)
    stop?.()
    registry.register(named('c'))
    expect(listener).toHaveBeenCalledTimes(3)
  })
})
