import * as fc from 'fast-check'
import { jsonSchema, ToolExecutor, type ToolResult, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { scanJson } from '../../../src/tool/arguments/scan-json.ts'
import type { JsonObject } from '../../../src/tool/json-value.ts'
import { runs } from '../../support/runs.ts'

/** A tool that takes several types, and what it was run with. */
function receiver(inputSchema: unknown) {
  const ran: JsonObject[] = []
  const act = tool({
    name: 'act',
    description: 'Acts.',
    inputSchema: inputSchema as ReturnType<typeof jsonSchema>,
    execute: (input) => void ran.push(input as JsonObject),
  })
  const executor = new ToolExecutor({ tools: [act] })
  return {
    ran,
    send: (input: unknown, name = 'act'): Promise<ToolResult> => executor.execute({ name, input }),
  }
}

const typed = v.object({
  text: v.optional(v.string()),
  n: v.optional(v.number()),
  on: v.optional(v.boolean()),
  tags: v.optional(v.array(v.string())),
  both: v.optional(v.nullable(v.union([v.number(), v.string()]))),
  deep: v.optional(v.object({ n: v.number(), on: v.optional(v.boolean()) })),
})

const typedInputs = fc.record(
  {
    text: fc.string({ unit: 'binary' }).map(wellFormed),
    n: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map((n) => n + 0),
    on: fc.boolean(),
    tags: fc.array(fc.oneof(fc.string(), fc.constantFrom('[1]', '{"a":1}', 'true', '5')), { maxLength: 3 }),
    both: fc.oneof(fc.constant(null), fc.nat(), fc.constantFrom('5', 'true', '[1]', 'null')),
    deep: fc.record({ n: fc.integer(), on: fc.boolean() }, { requiredKeys: ['n'], noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
)

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '?')
}

const keys = fc.constantFrom('text', 'n', 'on', 'tags', 'deep', 'a', '')
const anyObject = fc.dictionary(
  keys,
  fc.jsonValue({ maxDepth: 3 }).filter((value) => !/\d{16}|__proto__/.test(JSON.stringify(value))),
  { maxKeys: 4, noNullPrototype: true },
)

/** Texts as models send them, whole and in pieces, and texts that nobody would send. */
const pieces = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ':',
    ',',
    '\\',
    '\\"',
    '\\u00',
    ' ',
    '\n',
    '```',
    '```json\n',
    '-',
    '.',
    'e',
  ],
  ...[
    'true',
    'True',
    'null',
    'None',
    'NaN',
    '1',
    '9007199254740993',
    '"n"',
    '"tags"',
    '"name"',
    '"arguments"',
  ],
  ...[
    '"act"',
    '__proto__',
    '"constructor"',
    'Sure: ',
    '//',
    '{"n":"5"}',
    '{"name":"act","arguments":',
    '\u0000',
  ],
)
const soup = fc.array(
  fc.oneof({ weight: 5, arbitrary: pieces }, fc.string({ unit: 'binary', maxLength: 5 })),
  {
    maxLength: 25,
  },
)
const mutated = fc.tuple(typedInputs, fc.nat(), fc.nat(4), pieces).map(([input, at, removed, piece]) => {
  const text = JSON.stringify(input)
  const place = at % (text.length + 1)
  return text.slice(0, place) + piece + text.slice(place + removed)
})
const texts = fc.oneof(
  soup.map((parts) => parts.join('')),
  mutated,
  fc.json(),
  fc.string({ unit: 'binary' }),
)

/** Ways in which an object is sent that are understood. */
const whole = fc
  .tuple(typedInputs, fc.constantFrom('plain', 'fence', 'words', 'twice', 'wrapper'))
  .map(([input, how]) => {
    const text = JSON.stringify(input)
    if (how === 'fence') return `\`\`\`json\n${text}\n\`\`\``
    if (how === 'words') return `Sure: ${text}`
    if (how === 'twice') return JSON.stringify(text)
    return how === 'wrapper' ? `{"name":"act","arguments":${text}}` : text
  })

describe('raw arguments', () => {
  it('of any text end in a result, run at most once, and only with what the schema takes', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { ran, send } = receiver(typed)
        const { outcome, response } = await send(text)
        expect(['success', 'invalid'], response.text).toContain(outcome)
        expect(ran).toHaveLength(outcome === 'success' ? 1 : 0)
        for (const input of ran) expect(v.is(typed, input)).toBe(true)
      }),
      { numRuns: runs(1_000) },
    )
  })

  it('that fit pass unchanged and unmarked, as an object and as its text', async () => {
    await fc.assert(
      fc.asyncProperty(typedInputs, fc.boolean(), async (input, asText) => {
        const { ran, send } = receiver(typed)
        const { repaired } = await send(asText ? JSON.stringify(input) : input)
        expect(ran).toEqual([input])
        expect(repaired).toBeUndefined()
      }),
      { numRuns: runs(300) },
    )
  })

  it('pass unchanged and unmarked where the schema takes anything', async () => {
    await fc.assert(
      fc.asyncProperty(anyObject, fc.boolean(), async (input, asText) => {
        const { ran, send } = receiver(jsonSchema({ type: 'object', additionalProperties: true }))
        const { repaired } = await send(asText ? JSON.stringify(input) : input)
        expect(ran).toEqual([JSON.parse(JSON.stringify(input))])
        expect(repaired).toBeUndefined()
      }),
      { numRuns: runs(200) },
    )
  })

  it('that were cut off never run, wherever and whatever they were', async () => {
    await fc.assert(
      fc.asyncProperty(whole, fc.nat(), async (text, at) => {
        const cut = text.slice(0, at % text.length)
        // What came before the object, or nothing at all, is no part of one.
        fc.pre(/[{"]/.test(cut))
        const { ran, send } = receiver(typed)
        expect((await send(cut)).outcome).toBe('invalid')
        const open = receiver(jsonSchema({ type: 'object', additionalProperties: true }))
        expect((await open.send(cut)).outcome).toBe('invalid')
        expect([...ran, ...open.ran]).toEqual([])
      }),
      { numRuns: runs(500) },
    )
  })

  it('that were repaired need no repair', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(texts, whole), async (text) => {
        const { ran, send } = receiver(typed)
        const first = await send(text)
        fc.pre(first.outcome === 'success')
        const second = await send(first.call.input)
        expect(second.repaired).toBeUndefined()
        expect(ran[1]).toEqual(ran[0])
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('a name', () => {
  it('of any text runs the tool only if that is all it can mean', async () => {
    const parts = fc.constantFrom(
      'functions.',
      'default_api:',
      'mcp__',
      'x__',
      'act',
      '()',
      ' ',
      '(',
      'A',
      '_',
      '.',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 6 }), async (some) => {
        const { ran, send } = receiver(typed)
        const name = some.join('')
        const { outcome, repaired } = await send({}, name)
        const known = /^\s*(?:functions[.]|default_api:)?(?:mcp__.+?__)?act\s*(?:\(\s*\))?\s*$/
        expect(ran).toHaveLength(outcome === 'success' ? 1 : 0)
        if (outcome === 'success') expect(name).toMatch(known)
        expect(repaired).toEqual(outcome === 'success' && name !== 'act' ? ['name'] : undefined)
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('scanJson', () => {
  it('takes what JSON.parse takes, ends where it ends, and nothing else', () => {
    void fc.assert(
      fc.property(texts, (text) => {
        const { end, fault } = scanJson(text, 0)
        const isJson = fault === undefined && /^[ \t\n\r]*$/.test(text.slice(end))
        expect(isJson).toBe(parses(text))
        if (fault !== undefined) expect(fault.at).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: runs(1_000) },
    )
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
