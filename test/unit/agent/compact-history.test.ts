import fc from 'fast-check'
import { assertValidHistory, compactHistory, type HistoryDialect, type Message } from 'offstage'
import { describe, expect, it } from 'vitest'

const dialects: readonly HistoryDialect[] = ['openai', 'anthropic', 'gemini', 'mistral']
const long = 'x'.repeat(2_000)
let lastId = 0

const user = (text: string): Message => ({ role: 'user', text })
const answer = (text: string): Message => ({ role: 'assistant', text })
/** One step: a message with calls, and their results. */
function step(...inputs: readonly Record<string, unknown>[]): readonly Message[] {
  const calls = inputs.map((input) => ({ id: `call_${lastId++}`, name: 'write', input: input as never }))
  const results = calls.map(({ id, name }) => ({ callId: id, name, text: 'ok', outcome: 'success' as const }))
  return [
    { role: 'assistant', text: '', calls },
    { role: 'tool', results },
  ]
}

describe('compactHistory', () => {
  it('returns a conversation that fits as it is', () => {
    const messages = [user('hi'), answer('hello')]
    expect(compactHistory(messages)).toBe(messages)
  })

  it('D13 keeps shortened arguments JSON of the same shape', () => {
    const input = { path: 'a', content: long, lines: [long, 1, null], more: { deep: long, on: true } }
    const messages = [user('go'), ...step(input), answer('done'), user('on'), ...step({ path: 'b' })]
    const [, first] = compactHistory(messages, { keepSteps: 1, maxChars: 3_500 })
    const shortened = first?.role === 'assistant' ? first.calls?.[0]?.input : undefined
    expect(shortened).toEqual({
      path: 'a',
      content: expect.stringMatching(/^x{300}… \[1700 characters left out\]$/),
      lines: [expect.stringMatching(/left out\]$/), 1, null],
      more: { deep: expect.stringMatching(/left out\]$/), on: true },
    })
  })

  it('shortens the oldest first, and only until it fits', () => {
    const messages = [user('go'), ...step({ text: long }), ...step({ text: long }), ...step({ text: 'end' })]
    const size = JSON.stringify(messages).length
    const compact = compactHistory(messages, { keepSteps: 1, maxChars: size - 100 })
    expect(JSON.stringify(compact[1])).toContain('characters left out')
    expect(compact.slice(2)).toEqual(messages.slice(2))
  })

  it('leaves out whole turns, oldest first, and says so', () => {
    const turns = [1, 2, 3, 4].map((turn) => [
      user(`question ${turn}`),
      ...step({ turn }),
      answer(`answer ${turn}`),
    ])
    const messages = turns.flat()
    const compact = compactHistory(messages, {
      keepSteps: 2,
      maxChars: Math.floor(JSON.stringify(messages).length / 2),
    })
    const text = JSON.stringify(compact)
    expect(text).not.toContain('question 1')
    expect(text).not.toContain('answer 1')
    expect(compact.at(0)).toMatchObject({
      text: expect.stringMatching(/^\[Earlier messages .*\]\n\nquestion \d$/s),
    })
    expect(compact.slice(-3)).toEqual(messages.slice(-3))
  })

  it('leaves out old steps of a turn that must stay', () => {
    const messages = [user('one long task'), ...[1, 2, 3, 4].flatMap((number) => step({ number }))]
    const compact = compactHistory(messages, { keepSteps: 1, maxChars: 1 })
    expect(compact).toEqual([
      { role: 'user', text: expect.stringContaining('one long task'), taint: expect.anything() },
      ...messages.slice(-2),
    ])
  })

  it('never changes what a provider signed: it stays as it is, or goes with its message', () => {
    const [call, results] = step({ text: long })
    const id = call?.role === 'assistant' ? call.calls?.[0]?.id : undefined
    const providerMetadata = { google: { thoughtSignature: 'S' } }
    const signed = { ...call, parts: [{ type: 'call', callId: id, providerMetadata }] } as Message
    const unsigned = step({ text: long })
    const messages = [user('go'), signed, results as Message, ...unsigned, ...step({ text: 'end' })]
    const size = JSON.stringify(messages).length
    const shortened = compactHistory(messages, { keepSteps: 1, maxChars: size - 100 })
    expect(shortened[1]).toBe(signed)
    expect(JSON.stringify(shortened[3])).toContain('characters left out')
    expect(compactHistory(messages, { keepSteps: 1, maxChars: size - 1_800 })).toEqual([
      { role: 'user', text: expect.stringMatching(/\ngo$/), taint: expect.anything() },
      ...shortened.slice(3),
    ])
  })

  it('D15 never cuts a text inside a character', () => {
    const text = `${'x'.repeat(299)}😀${long}`
    const messages = [user('go'), ...step({ text }), ...step({ text: 'end' })]
    const compact = compactHistory(messages, { keepSteps: 1, maxChars: 1_000 })
    assertValidHistory(compact)
    expect(JSON.stringify(compact)).toContain('x… [')
  })

  it('keeps images of the last steps and names the others', () => {
    const image = { type: 'image' as const, mediaType: 'image/png', data: long, name: 'chart.png' }
    const messages: Message[] = [
      { role: 'user', text: 'look', parts: [image] },
      answer('a chart'),
      user('and?'),
    ]
    const [first] = compactHistory(messages, { maxChars: 500, keepSteps: 0 })
    expect(first).toEqual(user('look\n[image left out: chart.png]'))
  })

  it('keeps any conversation valid, its last steps as they are, and is done after one time', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 3_000 }).map((n) => 'é😀'.repeat(n)),
    )
    const turn = fc.tuple(
      texts,
      fc.array(fc.array(fc.record({ text: texts }), { minLength: 1, maxLength: 3 })),
      texts,
    )
    const property = fc.property(
      fc.array(turn, { minLength: 1, maxLength: 6 }),
      fc.record({ keepSteps: fc.nat(4), maxChars: fc.integer({ min: 1, max: 20_000 }) }),
      (turns, options) => {
        const messages = turns
          .flatMap(([text, steps, said]) => [
            user(`q ${text}`),
            ...steps.flatMap((inputs) => step(...inputs)),
            answer(`a ${said}`),
          ])
          .concat(user('now'))
        const compact = compactHistory(messages, options)
        for (const dialect of dialects) assertValidHistory(compact, dialect)
        const starts = [...messages.keys()].filter((index) => messages[index]?.role === 'assistant')
        const last = messages.slice(options.keepSteps === 0 ? -1 : starts.at(-options.keepSteps))
        // Before the first message that is left stands the note.
        if (last.length < compact.length) expect(compact.slice(-last.length)).toEqual(last)
        expect(compact.at(-1)).toMatchObject({ role: 'user', text: expect.stringMatching(/now$/) })
        expect(compactHistory(compact, options)).toEqual(compact)
      },
    )
    fc.assert(property)
  })

  it('counts the note as JSON does, to the last character', () => {
    const messages = [user('a'), answer('b'), user('c'), answer('d'), user('now')]
    const note = '"Left out":\n'
    const size = JSON.stringify([user(`${note}\n\nc`), ...messages.slice(3)]).length
    const fits = compactHistory(messages, { keepSteps: 0, maxChars: size, note })
    expect(fits).toEqual([user(`${note}\n\nc`), ...messages.slice(3)])
    expect(compactHistory(messages, { keepSteps: 0, maxChars: size - 1, note })).toEqual([
      user(`${note}\n\nnow`),
    ])
  })

  it('refuses options that cannot be meant', () => {
    expect(() => compactHistory([], { keepSteps: -1 })).toThrow(/keepSteps/)
    expect(() => compactHistory([], { maxCharacters: 5 } as never)).toThrow(/maxChars/)
  })
})

describe('assertValidHistory', () => {
  const [call, results] = step({}) as [Message & { role: 'assistant' }, Message & { role: 'tool' }]
  const [first] = results.results
  const image = { type: 'image', mediaType: 'image/png', data: '' } as const

  it.each<[string, readonly Message[], RegExp, HistoryDialect?]>([
    ['a call without results', [user('a'), call, user('b')], /messages\[1\]: its calls have no results/],
    [
      'D03 a result too many',
      [user('a'), call, { role: 'tool', results: [...results.results, { ...first, callId: 'z' } as never] }],
      /messages\[2\]: the results are for/,
    ],
    ['results of nothing', [user('a'), results], /messages\[1\]: results stand behind no calls/],
    [
      'an input that is no object',
      [user('a'), { ...call, calls: [{ ...call.calls?.[0], input: [] } as never] }, results],
      /is not an object/,
    ],
    [
      'an id that comes twice',
      [user('a'), call, results, call, results],
      /messages\[3\]: the call id .* was used before/,
    ],
    [
      'parts without the place of a call',
      [user('a'), { ...call, parts: [image] }, results],
      /do not name each of its calls/,
    ],
    [
      'parts that say something else',
      [user('a'), { ...answer('b'), parts: [{ type: 'text', text: 'c' }] } as Message],
      /are not its text/,
    ],
    ['D15 half of a pair', [user('ok \ud83d')], /half of a surrogate pair/],
    [
      'D15 half of a pair in a key',
      [user('a'), { ...call, calls: [{ ...call.calls?.[0], input: { 'a\udc00': 1 } } as never] }, results],
      /a key holds half/,
    ],
    [
      'a name that OpenAI refuses',
      [
        user('a'),
        { ...call, calls: [{ ...call.calls?.[0], name: 'a.b' } as never] },
        { role: 'tool', results: [{ ...first, name: 'a.b' } as never] },
      ],
      /"a.b" is no name/,
      'openai',
    ],
    [
      'a start that Anthropic refuses',
      [answer('hi'), user('a')],
      /messages\[0\]: the first message/,
      'anthropic',
    ],
    [
      'an empty message',
      [user('a'), answer(' '), user('b')],
      /messages\[1\]: the message is empty/,
      'anthropic',
    ],
    ['an end that Mistral refuses', [user('a'), answer('b')], /messages\[1\]: the last message/, 'mistral'],
  ])('names %s', (_, messages, problem, dialect) => {
    expect(() => assertValidHistory(messages, dialect)).toThrow(problem)
  })

  it('D06 names a call of this turn that lost its signature, where another has one', () => {
    const signed = (index: number): readonly Message[] => {
      const [message, result] = step({ index }) as [Message & { role: 'assistant' }, Message]
      const callId = String(message.calls?.[0]?.id)
      const providerMetadata = { google: { thoughtSignature: 'S' } }
      return [{ ...message, parts: [{ type: 'call', callId, providerMetadata }] }, result]
    }
    expect(() => assertValidHistory([user('a'), ...signed(1), ...signed(2)], 'gemini')).not.toThrow()
    expect(() => assertValidHistory([user('a'), ...signed(1), ...step({})], 'gemini')).toThrow(
      /messages\[3\]: its first call/,
    )
    expect(() => assertValidHistory([user('a'), ...step({}), ...step({})], 'gemini')).not.toThrow()
  })
})
