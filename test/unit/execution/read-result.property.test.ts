import fc from 'fast-check'
import { type JsonObject, memoryResultStore, ToolExecutor, type ToolResult } from 'offstage'
import { describe, expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'
import { bare, simple } from './step-kit.ts'

const maxResultChars = 1_000

/** Characters that are more than one unit, more than one of them, or not what they seem. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '🙂',
    '👩‍👩‍👧',
    '\ud83d',
    '\ude42',
    '\r\n',
    '\r',
    '\n',
    'e\u0301',
    'ß',
    'ſ',
    'K',
    'İ',
    'Σς',
    '$&',
    '\\',
  ),
  fc.constantFrom('abc', 'ABC', 'aa', 'aA'),
)
const anyText = fc
  .array(piece, { minLength: 1, maxLength: 30 })
  .map((all) => all.join('') || 'x')
  .map((part) => part.repeat(Math.ceil(1_200 / part.length)))

async function parked(text: string) {
  const executor = new ToolExecutor({
    tools: [simple('load', () => text)],
    maxResultChars,
    resultStore: memoryResultStore(),
  })
  const { response } = await executor.execute(bare('load'))
  const [handle = ''] = /result-[0-9a-f]{24}/.exec(response.text) ?? []
  expect(handle).not.toBe('')
  const read = (input: JsonObject): Promise<ToolResult> =>
    executor.execute({ name: 'read_result', input: { handle, ...input } })
  return { executor, handle, read, kept: text.replace(/\p{Surrogate}/gu, '\uFFFD') }
}

const lone = /\p{Surrogate}/u

describe('pieces of a long result', () => {
  it('make up exactly its text whatever their lengths are, and never have half of a character', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.infiniteStream(fc.integer({ min: 1, max: 700 })),
        async (text, lengths) => {
          const { read, kept } = await parked(text)
          let whole = ''
          for (let offset = 0, total = 1; offset < total; ) {
            // Short ones are many: they go on from the longest only.
            const { response } = await read({ offset, length: Math.max(40, Number(lengths.next().value)) })
            const {
              text: part,
              from,
              to,
              ...rest
            } = response.data as {
              text: string
              from: number
              to: number
              total: number
            }
            expect(part).not.toMatch(lone)
            expect(from).toBe(offset)
            expect(to).toBeGreaterThan(from)
            expect(response.text).toContain(`${to} of ${rest.total}`)
            whole += part
            offset = to
            total = rest.total
          }
          expect(whole).toBe(kept)
        },
      ),
      { numRuns: runs(15) },
    )
  })

  it('from any offset are the text there, no longer than the limit, and are never kept again', async () => {
    const place = fc.integer({ min: 0, max: 3_000 })
    const length = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 4, max: 100_000 }))
    await fc.assert(
      fc.asyncProperty(
        anyText,
        place,
        fc.option(length, { nil: undefined }),
        async (text, offset, length) => {
          const { executor, read, kept } = await parked(text)
          const { outcome, response } = await read({ offset, ...(length === undefined ? {} : { length }) })
          expect(response.text.length).toBeLessThanOrEqual(maxResultChars)
          expect(response.text).not.toContain('read_result')
          expect(response.text).not.toMatch(lone)
          expect((await executor.list()).map(({ definition }) => definition.name)).toEqual([
            'load',
            'read_result',
          ])
          if (offset >= kept.length) {
            expect(outcome).toBe('error')
            expect(response.text).toContain(`${kept.length} characters`)
            return
          }
          const { text: part, from, to } = response.data as { text: string; from: number; to: number }
          expect(part).toBe(kept.slice(from, to))
          // A pair is read whole where only half of it was asked for.
          expect(offset - from).toBeLessThanOrEqual(1)
          expect(to).toBeGreaterThan(offset)
          if (length !== undefined) expect(part.length).toBeLessThanOrEqual(length + 2)
        },
      ),
      { numRuns: runs(40) },
    )
  })
})

/** All places where a text stands in another one, character by character, that do not overlap. */
function placesOf(pattern: string, text: string): readonly number[] {
  const [wanted, all] = [[...pattern], [...text]]
  const same = (one: string, other: string) =>
    one === other || new RegExp(`^\\u{${one.codePointAt(0)?.toString(16)}}$`, 'iu').test(other)
  const places: number[] = []
  for (let index = 0, offset = 0; index < all.length; ) {
    const isHere = wanted.every((one, at) => all[index + at] !== undefined && same(one, `${all[index + at]}`))
    if (isHere) places.push(offset)
    const step = isHere ? wanted.length : 1
    offset += all.slice(index, index + step).join('').length
    index += step
  }
  return places
}

describe('a search in a long result', () => {
  it('finds all places that do not overlap, in upper and lower case, over as many answers as it takes', async () => {
    const search = anyText.chain((text) => {
      const characters = [...text.replace(/\p{Surrogate}/gu, '\uFFFD')]
      const inside = fc
        .tuple(fc.nat({ max: characters.length - 1 }), fc.integer({ min: 1, max: 6 }))
        .map(([at, length]) => characters.slice(at, at + length).join(''))
      const changed = inside.map((part) => part.toUpperCase())
      const other = fc.string({ unit: 'binary', minLength: 1, maxLength: 3 })
      return fc.tuple(
        fc.constant(text),
        fc.oneof(inside, changed, other, fc.constantFrom('.*', '(a+)+$', 'AA')),
      )
    })
    await fc.assert(
      fc.asyncProperty(search, async ([text, pattern]) => {
        const { read, kept } = await parked(text)
        const found: number[] = []
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const { outcome, response } = await read({ pattern, offset })
          expect(outcome).toBe('success')
          expect(response.text.length).toBeLessThanOrEqual(maxResultChars)
          expect(response.text).not.toMatch(lone)
          const { offsets, next } = response.data as { offsets: readonly number[]; next?: number }
          if (next !== undefined) expect(offsets.length).toBeGreaterThan(0)
          found.push(...offsets)
          offset = next
        }
        expect(found).toEqual(placesOf(pattern, kept))
      }),
      { numRuns: runs(25) },
    )
  })
})

it('a handle that is changed in any way opens nothing', async () => {
  const { handle, read } = await parked('line\n'.repeat(400))
  const change = fc.oneof(
    fc
      .tuple(fc.nat({ max: handle.length - 1 }), fc.constantFrom('', '0', 'f', 'E', '-', '/', '\0'))
      .map(([at, letter]) => handle.slice(0, at) + letter + handle.slice(at + 1)),
    fc.constantFrom('e', 'p', 'ep', 'pe').map((letters) => handle.replace('result-', `result-${letters}-`)),
    fc.constantFrom(' ', '\n', '/', '0').map((end) => `${handle}${end}`),
    fc.constantFrom(handle.toUpperCase(), `../results/${handle}`, `./${handle}`, '', '*', '__proto__'),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(change, async (altered) => {
      fc.pre(altered !== handle)
      const { outcome, response } = await read({ handle: altered })
      expect(outcome).toBe('error')
      expect(response.text).toMatch(/^There is no result with this handle/)
    }),
    { numRuns: runs(60) },
  )
})

it('input of a wrong kind is answered with what is wrong, and never read', async () => {
  const { read } = await parked('line\n'.repeat(400))
  const wrong = fc.oneof(
    fc.constantFrom<JsonObject>({ offset: -1 }, { offset: 1.5 }, { offset: 'two' }),
    fc.constantFrom<JsonObject>({ length: 0 }, { length: -3 }, { length: 0.5 }, { length: [] }),
    fc.constantFrom<JsonObject>({ pattern: { a: 1 } }, { pattern: 'x'.repeat(201) }, { pattern: ['a', 'b'] }),
    fc.constantFrom<JsonObject>({ handle: {} }, { handle: ['a', 'b'] }, { handle: { handle: 'x' } }),
  )
  await fc.assert(
    fc.asyncProperty(wrong, async (input) => {
      const [[name] = ['']] = Object.entries(input)
      const { outcome, response } = await read(input)
      expect(outcome).toBe('invalid')
      expect(response.text).toContain(name)
      expect(response.text).toMatch(/give a (string|whole number)/)
    }),
    { numRuns: runs(30) },
  )
})
