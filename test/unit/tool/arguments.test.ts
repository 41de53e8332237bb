import {
  jsonSchema,
  modelTextsZh,
  ToolExecutor,
  type ToolExecutorOptions,
  type ToolResult,
  tool,
} from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'

type Schema = Parameters<typeof tool>[0]['inputSchema']

/** What a tool with a schema is called with, and the result. */
async function send(
  inputSchema: Schema | object,
  input: unknown,
  name = 'act',
): Promise<{ readonly ran: readonly unknown[]; readonly result: ToolResult }> {
  const ran: unknown[] = []
  const act = tool({
    name: 'act',
    description: 'Acts.',
    inputSchema: inputSchema as Schema,
    execute: (given: unknown) => void ran.push(given),
  } as Parameters<typeof tool>[0])
  const result = await new ToolExecutor({ tools: [act] }).execute({ name, input })
  return { ran, result }
}

/** Expects that a call ran with an input, and what was repaired. */
async function expectRan(
  schema: Schema | object,
  sent: unknown,
  input: unknown,
  repaired?: readonly string[],
) {
  const { ran, result } = await send(schema, sent)
  expect(ran, result.response.text).toEqual([input])
  expect(result.repaired).toEqual(repaired)
}

/** Expects that a call did not run, and what the model reads. */
async function expectRefused(schema: Schema | object, sent: unknown, ...says: readonly string[]) {
  const { ran, result } = await send(schema, sent)
  expect(ran).toEqual([])
  expect(result.outcome).toBe('invalid')
  expect(result.repaired).toBeUndefined()
  for (const text of says) expect(result.response.text).toContain(text)
  return result
}

const path = v.object({ path: v.string() })

describe('arguments that are fine', () => {
  it.each([
    ['an object', { path: 'a' }],
    ['its text', '{"path":"a"}'],
    ['its text with spaces round it', ' \n{"path": "a"}\t'],
  ])('run unmarked: %s', (_what, sent) => expectRan(path, sent, { path: 'a' }))

  it('are those of a tool without parameters too (A20)', async () => {
    await expectRan({ ...jsonSchema({ type: 'object', properties: {} }) }, {}, {})
    await expectRan(jsonSchema({ type: 'object' }), '{"any":null}', { any: null })
  })
})

describe('arguments that are nothing', () => {
  it.each([
    ['""', ''],
    ['two quotes', '""'],
    ['spaces', ' \n'],
    ['null', null],
    ['the text null', 'null'],
  ])('B11 are {} where nothing is required: %s', (_what, sent) =>
    expectRan(v.object({ a: v.optional(v.string()) }), sent, {}, ['empty']),
  )

  it.each([[undefined], [[]], ['[]']])('B11 are {} where nothing is required: %j', (sent) =>
    expectRan(v.object({}), sent, {}, ['empty']),
  )

  it('get the defaults, and count as nothing required where all that is required has one', () =>
    expectRan(
      jsonSchema({ type: 'object', properties: { n: { type: 'number', default: 5 } }, required: ['n'] }),
      '',
      { n: 5 },
      ['empty'],
    ))

  it.each([[''], [null], [undefined], [[]]])('are an error that names what is required: %j', async (sent) => {
    await expectRefused(path, sent, "parameter 'path': is required, and no arguments were sent")
  })

  it.each([[1], [true], ['1'], ['[1]'], [[{ path: 'a' }]], ['"text"'], ['[{"path":"a"}]']])(
    'are no object: %j',
    async (sent) => {
      await expectRefused(path, sent, 'Send one JSON object')
    },
  )
})

describe('text that is not the JSON of one object', () => {
  it('B01 was cut off, and says where', async () => {
    const sent = '{"success":true,"reason":"The message explicitly asks the user'
    await expectRefused(v.looseObject({}), sent, 'were cut off at character 63. Send all of them again')
  })

  it.each([
    '{',
    '{"path"',
    '{"path":',
    '{"path":"a',
    '{"path":"a\\',
    '{"path":"a\\u00',
    '{"path":"a"',
    '{"path":"a",',
    '{"path":tru',
    '{"path":1.',
    '```json\n{"path":"a"',
    '```json\n{"path":"a"}',
    'Sure: {"path":{"path":"a"}',
    '"{\\"path\\":\\"a\\"',
    JSON.stringify('{"path":"a"'),
  ])('B01 C15 was cut off: %j', async (sent) => {
    await expectRefused(path, sent, 'were cut off at character')
    await expectRefused(v.looseObject({}), sent, 'were cut off at character')
  })

  it.each([
    ['B13', "{'theme': 'dark', 'size': 14, 'on': True, 'x': None}", 2, 'need double quotes'],
    ['a literal', '{"on": True, "more": "values"}', 8, 'no value of JSON'],
    ['NaN', '{"n": NaN, "more": "values"}', 7, 'no value of JSON'],
    ['a comment', '{"n": 1, // one\n"m": 2}', 10, 'JSON has no comments'],
    ['a comma too many', '{"n": 1,}', 9, 'not expected here'],
    ['a key without quotes', '{n: 1}', 2, 'need double quotes'],
    ['a place between values', '{"n": 1 "m": 2, "more": 3}', 9, 'not expected here'],
    ['B16 two objects', '{"path":"a.txt"}{"path":"b.txt"}', 17, 'make one call for each'],
    ['a bracket too many', '{"path":"a.txt"}}', 17, 'make one call for each'],
    ['a list round it', 'do [{"path":"a.txt"}', 1, 'send no text'],
    ['a second one that was cut off', '{"path":"a.txt"} {"pa', 18, 'make one call for each'],
    ['a part of another one', '"where": {"path":"a.txt"}', 1, 'send no text'],
  ])('is an error with its place: %s', async (_what, sent, place, says) => {
    await expectRefused(v.looseObject({}), sent, `at character ${place} `, says)
  })

  it('is refused in Chinese as well', async () => {
    const options: ToolExecutorOptions = {
      tools: [tool({ name: 'act', description: 'Acts.', execute: () => 1 })],
      texts: modelTextsZh,
    }
    const text = async (input: string) =>
      (await new ToolExecutor(options).execute({ name: 'act', input })).response.text
    expect(await text('{')).toContain('在第 2 个字符处被截断')
    expect(await text("{'a': 1}")).toContain('必须使用双引号')
  })
})

describe('an object with something round it', () => {
  it.each(['```json\n{"path": "a.txt"}\n```', '```\n{"path": "a.txt"}\n```', '``` {"path": "a.txt"}```\n'])(
    'B15 is taken out of a code fence: %j',
    (sent) => expectRan(path, sent, { path: 'a.txt' }, ['code-fence']),
  )

  it.each([
    '{"path": "a.txt"} trailing text',
    'Sure: {"path":"a.txt"}',
    '{"path":"a.txt"}\n```',
    'Here:\n```json\n{"path":"a.txt"}\n```\nDone.',
    '\uFEFF{"path":"a.txt"}',
  ])('B16 is taken out of words: %j', (sent) =>
    expectRan(path, sent, { path: 'a.txt' }, ['surrounding-text']),
  )

  it('B16 is left in words when the tool does not take it: it may be a part', async () => {
    const schema = v.object({ to: v.optional(v.string()), options: v.optional(path) })
    await expectRefused(schema, 'options: {"path":"a.txt"}', 'send no text with the object')
    await expectRefused(v.object({ path: v.string(), to: v.string() }), 'Sure: {"path":"a.txt"}')
  })

  it('B03 is decoded once more, and not twice', async () => {
    const light = v.object({ lightId: v.string(), on: v.boolean() })
    const sent = String.raw`"{\"lightId\":\"8\",\"on\":true}"`
    await expectRan(light, sent, { lightId: '8', on: true }, ['encoded-twice'])
    await expectRefused(light, JSON.stringify(sent), 'Send one JSON object')
  })

  it('B21 is taken out of a wrapper with the tool’s name', async () => {
    const person = v.object({ name: v.string() })
    const inner = { name: 'John' }
    await expectRan(person, { name: 'act', arguments: inner }, inner, ['wrapper'])
    await expectRan(path, { name: 'act', arguments: { path: 'a' } }, { path: 'a' }, ['wrapper'])
    await expectRefused(person, { name: 'act', arguments: { nom: 'John' } }, 'send the arguments alone')
    await expectRefused(v.object({ name: v.optional(v.string()) }), { name: 'act', arguments: { x: 1 } })
    await expectRefused(person, { name: 'act', arguments: 'John' }, 'send the arguments alone')
  })

  it('B21 is its own where it is no wrapper', async () => {
    const call = v.object({ name: v.string(), arguments: v.looseObject({}) })
    const sent = { name: 'act', arguments: { a: 1 } }
    await expectRan(call, sent, sent)
    await expectRan(v.looseObject({}), sent, sent)
    const person = v.object({ name: v.string() })
    await expectRan(person, { name: 'John', arguments: { name: 'act' } }, { name: 'John' })
    await expectRan(person, { name: 'act', arguments: {}, more: 1 }, { name: 'act' })
  })
})

describe('values of another type than the schema wants', () => {
  it.each([
    ['B05', v.array(v.string()), '["test","debug"]', ['test', 'debug'], ['json-string']],
    ['B06', v.nullable(v.array(v.number())), '[1,2]', [1, 2], ['json-string']],
    ['an object', path, '{"path":"a"}', { path: 'a' }, ['json-string']],
    ['what is in it', v.array(v.number()), '["1",2]', [1, 2], ['json-string', 'number']],
    ['one in a list', v.array(path), ['{"path":"a"}'], [{ path: 'a' }], ['json-string']],
    ['a number', v.number(), '5', 5, ['number']],
    ['a fraction', v.number(), '-0.5e1', -5, ['number']],
    ['one of some', v.picklist([1, 2]), '2', 2, ['number']],
    ['B08', v.boolean(), 'false', false, ['boolean']],
    ['B08', v.boolean(), 'False', false, ['boolean']],
    ['B08', v.boolean(), 'TRUE', true, ['boolean']],
    ['one of two types', v.union([v.number(), v.boolean()]), 'true', true, ['boolean']],
  ])('are read as what is wanted: %s', (_what, field, sent, input, repaired) =>
    expectRan(v.object({ field }), { field: sent }, { field: input }, repaired),
  )

  it.each([
    ['B06', v.string(), '[1,2]'],
    ['B06', v.string(), '[GitHub] PR opened'],
    ['a union', v.union([v.number(), v.string()]), '5'],
    ['a union', v.union([v.boolean(), v.literal('true')]), 'true'],
    ['a list or a text', v.union([v.array(v.string()), v.string()]), '["a"]'],
    ['a picklist', v.picklist(['1', '2']), '1'],
    ['anything', v.any(), '{"a":1}'],
    ['deep in anything', v.any(), [{ n: '5' }]],
  ])('are left alone where a text may be meant: %s', (_what, field, sent) =>
    expectRan(v.object({ field }), { field: sent }, { field: sent }),
  )

  it.each([
    [v.number(), ''],
    [v.number(), ' 5'],
    [v.number(), '0x10'],
    [v.number(), '1e999'],
    [v.number(), 'NaN'],
    [v.number(), '9007199254740993'],
    [v.number(), true],
    [v.pipe(v.number(), v.integer()), '5.5'],
    [v.array(v.string()), '["test"'],
    [v.array(v.string()), '"[\\"test\\"]"'],
    [v.array(v.string()), '{"0":"a"}'],
    [v.array(v.any()), '[{"__proto__":{"a":1}}]'],
    [path, "{'path': 'a'}"],
  ])('are an error where it is in doubt: %#', async (field, sent) => {
    const { ran, result } = await send(v.object({ field }), { field: sent })
    expect([ran, result.outcome, result.repaired]).toEqual([[], 'invalid', undefined])
  })

  it.each(['0', 'no', '', 0, 1, 'falsey'])(
    'B08 are no boolean, whatever the validator says: %j',
    async (sent) => {
      const takesAll = { ...jsonSchema({ type: 'object', properties: { dryRun: { type: 'boolean' } } }) }
      const inputSchema = {
        '~standard': { ...takesAll['~standard'], validate: (value: unknown) => ({ value }) },
      }
      await expectRefused(inputSchema, { dryRun: sent }, "parameter 'dryRun': expected true or false, got")
    },
  )

  it('are read by the branch of a union that applies, and by none when that is open', async () => {
    const branches = [
      v.object({ kind: v.literal('a'), n: v.number() }),
      v.object({ kind: v.literal('b'), n: v.string() }),
    ] as const
    const schema = v.object({ filter: v.variant('kind', branches) })
    await expectRan(schema, { filter: { kind: 'a', n: '5' } }, { filter: { kind: 'a', n: 5 } }, ['number'])
    await expectRan(schema, { filter: { kind: 'b', n: '5' } }, { filter: { kind: 'b', n: '5' } })
    const open = v.object({ filter: v.union([v.object({ n: v.number() }), v.object({ n: v.string() })]) })
    await expectRan(open, { filter: { n: '5' } }, { filter: { n: '5' } })
  })

  it('are read through references, also where a schema holds itself', async () => {
    const schema = jsonSchema({
      type: 'object',
      properties: { top: { $ref: '#/$defs/node' } },
      $defs: {
        node: {
          type: 'object',
          properties: { n: { type: 'number' }, kids: { type: 'array', items: { $ref: '#/$defs/node' } } },
        },
      },
    })
    const sent = { top: { n: '1', kids: [{ n: '2', kids: '[{"n":3}]' }] } }
    const input = { top: { n: 1, kids: [{ n: 2, kids: [{ n: 3 }] }] } }
    await expectRan(schema, sent, input, ['number', 'json-string'])
  })
})

describe('null', () => {
  const schema = v.object({ query: v.string(), limit: v.optional(v.number(), 5) })

  it('B10 A01 is absent for an optional field that takes none, and its default is filled in', async () => {
    await expectRan(schema, { query: 'cats', limit: null }, { query: 'cats', limit: 5 }, ['null'])
    const nested = v.object({
      all: v.array(v.object({ a: v.optional(v.object({ b: v.optional(v.string()) })) })),
    })
    await expectRan(nested, { all: [{ a: { b: null } }, { a: null }] }, { all: [{ a: {} }, {}] }, ['null'])
  })

  it('B10 stays where the field takes it, is required, or is no field', async () => {
    const nullable = v.object({ a: v.optional(v.nullable(v.number())), b: v.optional(v.any()) })
    await expectRan(nullable, { a: null, b: null }, { a: null, b: null })
    await expectRefused(v.object({ a: v.number() }), { a: null })
    await expectRefused(v.record(v.string(), v.number()), { a: null })
    await expectRefused(v.object({ a: v.array(v.number()) }), { a: [null] })
  })
})

describe('an integer beyond 2^53', () => {
  const sent = '{"id":2512292042121000001}'

  it('B23 keeps its digits where the schema wants a string', async () => {
    await expectRan(v.object({ id: v.string() }), sent, { id: '2512292042121000001' }, ['big-integer'])
    await expectRan(v.looseObject({}), sent, { id: '2512292042121000001' }, ['big-integer'])
    const nested = v.object({ ids: v.array(v.string()) })
    const once = '{"ids":"[-2512292042121000001,\\"1\\"]"}'
    await expectRan(nested, once, { ids: ['-2512292042121000001', '1'] }, ['json-string', 'big-integer'])
  })

  it('B23 is an error elsewhere, and the history has its digits', async () => {
    for (const id of [v.number(), v.pipe(v.number(), v.integer())]) {
      const says =
        "parameter 'id': 2512292042121000001 is beyond 2^53 and would be rounded; send it as a string"
      const { call } = await expectRefused(v.object({ id }), sent, says)
      expect(call.input).toEqual({ id: '2512292042121000001' })
    }
  })

  it('B23 is an error too where an adapter has rounded it already', async () => {
    const id = v.pipe(v.number(), v.integer())
    await expectRefused(v.object({ id }), { id: 2 ** 60 }, 'beyond 2^53')
  })

  it('is not one of fewer digits, in a text, or about that much', async () => {
    const schema = v.object({ n: v.number(), text: v.optional(v.string()) })
    await expectRan(schema, `{"n":${Number.MAX_SAFE_INTEGER}}`, { n: Number.MAX_SAFE_INTEGER })
    await expectRan(schema, '{"n":1e300,"text":"9007199254740993"}', { n: 1e300, text: '9007199254740993' })
    await expectRan(schema, '{"n":0.12345678901234566}', { n: 0.12345678901234566 })
    const quoted = '{"n":1,"text":"\\" 9007199254740993 \\\\"}'
    await expectRan(schema, quoted, { n: 1, text: '" 9007199254740993 \\' })
  })
})

describe('keys', () => {
  it.each(['__proto__', 'constructor', 'prototype'])(
    'B25 that reach a prototype are refused: %s',
    async (key) => {
      for (const sent of [
        `{"path":"a.md","${key}":{"confirmed":true}}`,
        `{"path":"a.md","${key}":1,"${key}":2}`,
        `\`\`\`{"path":"a.md","deep":{"${key}":1}}\`\`\``,
        JSON.stringify(`{"${key}":{"confirmed":true}}`),
      ]) {
        await expectRefused(v.looseObject({}), sent, `the key "${key}" is not accepted`)
      }
    },
  )

  it('B26 that are not known are dropped, or refused by a closed schema', async () => {
    const { ran, result } = await send(v.object({}), { kwargs: 'date' })
    expect([ran, result.droppedKeys, result.repaired]).toEqual([[{}], ['kwargs'], undefined])
    const sum = { a: '1', b: 2, explanation: 'sum' }
    const open = await send(v.object({ a: v.number(), b: v.number() }), sum)
    expect([open.ran, open.result.droppedKeys]).toEqual([[{ a: 1, b: 2 }], ['explanation']])
    await expectRefusedKey(v.strictObject({ a: v.number(), b: v.number() }), { ...sum, a: 1 }, 'explanation')
  })
})

async function expectRefusedKey(schema: Schema, sent: unknown, key: string) {
  const { ran, result } = await send(schema, sent)
  expect([ran, result.outcome]).toEqual([[], 'invalid'])
  expect(result.response.text).toContain(key)
}

describe('arguments that are made to hurt', () => {
  it.each([
    ['brackets in brackets', '['.repeat(200_000)],
    ['objects in objects', '{"a":'.repeat(100_000)],
    ['closed ones', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['JSON in JSON', Array.from({ length: 12 }).reduce<string>((text) => JSON.stringify({ a: text }), '1')],
    ['a long string', `{"a":"${'\\"'.repeat(500_000)}`],
    ['long numbers', `{"a":[${'9'.repeat(400_000)},${'9'.repeat(400_000)}]`],
    ['quotes', `Sure ${'"'.repeat(500_000)}`],
    ['spaces', `${' '.repeat(500_000)}x${' '.repeat(500_000)}`],
    ['fences', '```'.repeat(300_000)],
  ])('end soon and run nothing: %s', async (_what, sent) => {
    const started = performance.now()
    const { ran, result } = await send(v.object({ a: v.pipe(v.array(v.number()), v.maxLength(0)) }), sent)
    expect([ran, result.outcome]).toEqual([[], 'invalid'])
    // Linear work takes some milliseconds; on a busy machine JSON.parse alone takes a while.
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('that nest 100 deep run, and deeper ones do not, also in a string', async () => {
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
    const schema = jsonSchema({ type: 'object', properties: { a: { type: 'object' } } })
    expect((await send(schema, nested(101))).ran).toHaveLength(1)
    expect((await send(schema, nested(102))).ran).toHaveLength(0)
    const digits = `${'{"a":'.repeat(101)}9007199254740993${'}'.repeat(101)}`
    expect(JSON.stringify((await send(schema, digits)).ran)).toContain('"9007199254740993"')
    const inString = { a: JSON.stringify(nested(101)) }
    expect((await send(schema, inString)).ran).toHaveLength(0)
  })

  it('that cannot be looked at are the error of the call', async () => {
    const execute = vi.fn()
    const act = tool({ name: 'act', description: 'Acts.', inputSchema: path, execute })
    const { proxy, revoke } = Proxy.revocable([], {})
    revoke()
    const result = await new ToolExecutor({ tools: [act] }).execute({ name: 'act', input: proxy })
    expect([result.outcome, execute.mock.calls]).toEqual(['invalid', []])
  })
})
