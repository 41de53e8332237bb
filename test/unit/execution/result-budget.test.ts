import fc from 'fast-check'
import {
  type JsonObject,
  modelTextsZh,
  ToolExecutor,
  type ToolExecutorOptions,
  ToolResponse,
  type ToolResult,
} from 'offstage'
import { describe, expect, it } from 'vitest'
import { bare, simple } from './step-kit.ts'

type Extras = NonNullable<Parameters<typeof simple>[2]>

function executorFor(
  execute: () => unknown,
  options: Partial<ToolExecutorOptions> = {},
  extras: Extras = {},
) {
  return new ToolExecutor({ tools: [simple('load', execute, extras)], ...options })
}

function handleIn({ response }: ToolResult): string {
  const [handle] = /result-(e?p?-)?[0-9a-f]{24}/.exec(response.text) ?? []
  if (handle === undefined) throw new Error(`no handle: ${response.text.slice(-300)}`)
  return handle
}

const read = (input: JsonObject) => ({ name: 'read_result', input })
const nameAll = async (executor: ToolExecutor) =>
  (await executor.list()).map(({ definition }) => definition.name)

/** A text in which each place can be told from others. */
const long = Array.from({ length: 4_000 }, (_, index) => `line ${index}`).join('\n')

describe('a result that is too long', () => {
  it('has its beginning and its end, says what is missing, and is partial; its data stay whole', async () => {
    const executor = executorFor(() => ToolResponse.ok(long, { data: { long } }))
    expect(await nameAll(executor)).toEqual(['load'])
    const result = await executor.execute(bare('load'))
    const { text, data, status, metadata } = result.response
    expect(result.outcome).toBe('partial')
    expect(status).toBe('partial')
    expect(text.length).toBeLessThanOrEqual(16_000)
    expect(text.length).toBeGreaterThan(15_900)
    expect(text).toMatch(/^line 0\nline 1\n/)
    expect(text).toMatch(/line 3999\n\(The result has \d+ characters; those from \d+ to \d+ were left out\. /)
    expect(text).toMatch(/\n\[… \d+ characters left out …\]\n/)
    expect(data).toEqual({ long })
    expect(metadata).toMatchObject({ cut: { total: long.length, handle: handleIn(result) } })
    expect(await nameAll(executor)).toEqual(['load', 'read_result'])
  })

  it('that just fits stays as it is', async () => {
    const executor = executorFor(() => 'x'.repeat(16_000))
    expect(await executor.execute(bare('load'))).toMatchObject({
      outcome: 'success',
      response: { text: 'x'.repeat(16_000) },
    })
    expect(await nameAll(executor)).toEqual(['load'])
  })

  it('is read on from where it was cut, and to its end', async () => {
    const executor = executorFor(() => long)
    const result = await executor.execute(bare('load'))
    const { from } = (result.response.metadata as { cut: { from: number } }).cut
    const { response } = await executor.execute(read({ handle: handleIn(result), offset: from, length: 100 }))
    expect(response.text.slice(0, 100)).toBe(long.slice(from, from + 100))
    expect(response.text).toContain(`go on with offset ${from + 100}]`)
    const end = await executor.execute(read({ handle: handleIn(result), offset: long.length - 5 }))
    expect(end.response.text).toMatch(/^ 3999\n\[characters \d+ to \d+ of \d+, the end\]$/)
    const behind = await executor.execute(read({ handle: handleIn(result), offset: long.length }))
    expect(behind).toMatchObject({ outcome: 'error' })
  })

  it('is searched for a text that means itself, and not for a regular expression', async () => {
    const text = `${'a'.repeat(30_000)} (A+)+$ ${'b'.repeat(30_000)} (a+)+$`
    const executor = executorFor(() => text)
    const handle = handleIn(await executor.execute(bare('load')))
    const { response } = await executor.execute(read({ handle, pattern: '(a+)+$' }))
    expect(response.data).toEqual({ offsets: [30_001, 60_009], total: text.length })
    const none = await executor.execute(read({ handle, pattern: '.*' }))
    expect(none.response.text).toBe('[found 0 times, to the end]')
    const later = await executor.execute(read({ handle, pattern: '(a+)+$', offset: 30_002 }))
    expect(later.response.data).toEqual({ offsets: [60_009], total: text.length })
  })

  it('with many places gives some, and says where to search on', async () => {
    const executor = executorFor(() => long)
    const handle = handleIn(await executor.execute(bare('load')))
    const { response } = await executor.execute(read({ handle, pattern: 'line' }))
    const { offsets, next } = response.data as { offsets: number[]; next: number }
    expect(offsets).toHaveLength(20)
    expect(response.text).toContain(`search on with offset ${next}]`)
    expect(long.slice(next, next + 4)).toBe('line')
  })

  it('of an error keeps its outcome', async () => {
    const executor = executorFor(() => ToolResponse.error(long))
    expect(await executor.execute(bare('load'))).toMatchObject({
      outcome: 'error',
      response: { status: 'error', text: expect.stringContaining('were left out') },
    })
  })

  it('is only cut where the app denies the tool that reads it, or has one of that name', async () => {
    const own = simple('read_result', () => 'my own')
    const load = simple('load', () => long)
    for (const options of [
      { tools: [load], permissions: { deny: ['read_result'] } },
      { tools: [load], permissions: { denyOrigins: ['builtin'] } },
      { tools: [load, own] },
    ]) {
      const executor = new ToolExecutor(options)
      const { response } = await executor.execute(bare('load'))
      expect(response.text).toMatch(/cannot be read\. If you need them, call again and ask for less\.\)$/)
      expect(response.metadata?.cut).not.toHaveProperty('handle')
    }
    const { response } = await new ToolExecutor({ tools: [load, own] }).execute(bare('read_result'))
    expect(response.text).toBe('my own')
  })

  it('is read also where an allow list names other tools', async () => {
    const executor = executorFor(() => long, { permissions: { allow: ['load'] } })
    const handle = handleIn(await executor.execute(bare('load')))
    expect((await executor.execute(read({ handle }))).outcome).toBe('success')
    expect(await nameAll(executor)).toEqual(['load', 'read_result'])
  })

  it('two in one step are both kept', async () => {
    const executor = executorFor(() => long)
    const results = await executor.executeStep([bare('load'), bare('load')])
    for (const result of results) {
      expect((await executor.execute(read({ handle: handleIn(result), offset: 7 }))).outcome).toBe('success')
    }
  })

  it('is cut in Chinese for a Chinese conversation', async () => {
    const executor = executorFor(() => long, { texts: modelTextsZh })
    const result = await executor.execute(bare('load'))
    expect(result.response.text).toContain('个被省略。要读取它们，请调用 read_result')
    expect((await executor.execute(read({ handle: handleIn(result) }))).response.text).toMatch(
      /继续读取请用 offset/,
    )
  })
})

describe('a handle', () => {
  it('of another run is refused, and says nothing of what is kept', async () => {
    const executor = executorFor(() => long)
    const other = handleIn(await executor.execute(bare('load'), { runId: 'one' }))
    await executor.execute(bare('load'), { runId: 'two' })
    const outside = await executor.execute(bare('load'))
    for (const [handle, runId] of [
      [other, 'two'],
      [handleIn(outside), 'two'],
      ['result-000000000000000000000000', 'two'],
      ['../secret', 'two'],
    ] as const) {
      const { outcome, response } = await executor.execute(read({ handle }), { runId })
      expect(outcome).toBe('error')
      expect(response.text).toMatch(/^There is no result with this handle in this conversation/)
    }
    expect((await executor.execute(read({ handle: other }), { runId: 'one' })).outcome).toBe('success')
    expect((await executor.execute(read({ handle: other }))).outcome).toBe('error')
  })

  it('holds no longer once the executor is closed', async () => {
    const executor = executorFor(() => long)
    const handle = handleIn(await executor.execute(bare('load')))
    await executor.close()
    await executor.execute(bare('load'))
    expect((await executor.execute(read({ handle }))).outcome).toBe('error')
  })

  it.each([
    [{}, 'handle'],
    [{ handle: 'x', offset: -1 }, 'offset'],
    [{ handle: 'x', length: 0 }, 'length'],
    [{ handle: 'x', pattern: 'x'.repeat(201) }, 'pattern'],
  ])('%j is answered with what is wrong', async (input, name) => {
    const executor = executorFor(() => long)
    await executor.execute(bare('load'))
    const result = await executor.execute(read(input))
    expect(result.outcome).toBe('invalid')
    expect(result.response.text).toContain(`parameter '${name}': give`)
  })
})

describe('a long result that is not to be trusted', () => {
  it('is cut first and then fenced, with the note behind the fence; what is read of it is fenced again', async () => {
    const executor = executorFor(() => long, {}, { externalContent: true, reads: 'private' })
    const result = await executor.execute(bare('load'))
    const { text } = result.response
    expect(text).toMatch(
      /^<<outside ([0-9a-f]{24}): [^\n]*>>\nline 0\n[\s\S]*line 3999\n<<end \1>>\n\(The result has [^\n]*\)$/,
    )
    const piece = await executor.execute(read({ handle: handleIn(result), length: 20 }))
    expect(piece.response.text).toMatch(/^<<outside [0-9a-f]{24}: from outside, by read_result>>\nline 0\n/)
  })

  it('has labels that say so wherever the gate looks', async () => {
    const seen: unknown[] = []
    const middleware = [
      {
        wrap: (_call: unknown, { labels }: { labels?: unknown }, next: () => Promise<never>) => {
          seen.push(labels)
          return next()
        },
      },
    ]
    for (const extras of [{ externalContent: true, reads: 'private' }, { effect: 'none' }] as Extras[]) {
      const executor = executorFor(() => long, { middleware }, extras)
      const handle = handleIn(await executor.execute(bare('load')))
      await executor.execute(read({ handle }))
    }
    const none = { effect: 'none', egress: false }
    expect(seen[1]).toEqual({ ...none, externalContent: true, reads: 'private' })
    expect(seen[3]).toEqual({ ...none, externalContent: false, reads: 'public' })
  })
})

describe('a character', () => {
  it('D15 is not cut in two by the limit, and half of one is replaced', async () => {
    for (const shift of ['', 'x', 'xy']) {
      const executor = executorFor(() => `${shift}${'🙂'.repeat(20_000)}`)
      const result = await executor.execute(bare('load'))
      expect(result.response.text).not.toMatch(/\p{Surrogate}|\uFFFD/u)
      const piece = await executor.execute(read({ handle: handleIn(result), offset: 7, length: 3 }))
      expect(piece.response.text).not.toMatch(/\p{Surrogate}|\uFFFD/u)
    }
    expect((await executorFor(() => 'ok \ud83d').execute(bare('load'))).response.text).toBe('ok \ufffd')
  })

  it('D15 half of one in a key of what a tool gives is no half in the text that a model reads', async () => {
    const { response } = await executorFor(() => ({ 'a\ud83d': 1 })).execute(bare('load'))
    expect(response.text).toBe('{"a\\ud83d":1}')
    expect(JSON.stringify({ content: response.text })).not.toMatch(/[^\\]\\ud83d/)
  })
})

it('wrong limits are refused', () => {
  for (const maxResultChars of [0, 999, 1000.5, Number.NaN]) {
    expect(() => new ToolExecutor({ tools: [], maxResultChars })).toThrow(/maxResultChars/)
  }
})

const anyText = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('🙂', '\ud83d', '\n', 'abc')),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((all) => all.join(''))

it('ends never exceed the budget, and pieces make up exactly the text', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyText,
      fc.integer({ min: 1_000, max: 2_500 }),
      fc.integer({ min: 150, max: 900 }),
      async (part, maxResultChars, length) => {
        const text = (part || 'x').repeat(Math.ceil(4_000 / (part || 'x').length))
        const executor = executorFor(() => text, { maxResultChars })
        const result = await executor.execute(bare('load'))
        expect(result.response.text.length).toBeLessThanOrEqual(maxResultChars)
        const handle = handleIn(result)
        let whole = ''
        for (let offset = 0, total = 1; offset < total; ) {
          const { response } = await executor.execute(read({ handle, offset, length }))
          expect(response.text.length).toBeLessThanOrEqual(maxResultChars)
          const piece = response.data as { text: string; from: number; to: number; total: number }
          expect(response.text.startsWith(piece.text)).toBe(true)
          expect(piece.from).toBe(offset)
          whole += piece.text
          offset = piece.to
          total = piece.total
        }
        expect(whole).toBe(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
      },
    ),
    { numRuns: 25 },
  )
})
