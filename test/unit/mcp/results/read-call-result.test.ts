import { ToolExecutor, tool } from 'offstage'
import { describe, expect, it } from 'vitest'
import { type CallResultOptions, readCallResult } from '../../../../src/mcp/results/read-call-result.ts'
import { resultTextsZh } from '../../../../src/mcp/results/result-texts.ts'
import type { JsonObject } from '../../../../src/tool/json-value.ts'
import type { ToolResponse } from '../../../../src/tool/tool-response.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const svg = btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')

function read(raw: JsonObject, options: Partial<CallResultOptions> = {}): ToolResponse {
  return readCallResult(raw, { toolName: 'files_read', ...options })
}

const content = (...blocks: JsonObject[]): JsonObject => ({ content: blocks })
const words = (text: string): JsonObject => ({ type: 'text', text })

const outputSchema = { type: 'object', properties: { rows: { type: 'number' } }, required: ['rows'] }

describe('readCallResult', () => {
  it('joins texts in their order', () => {
    expect(read(content(words('one'), words('two')))).toEqual({ status: 'success', text: 'one\ntwo' })
  })

  it.each([{ content: [] }, {}, { content: null }, { content: [words('')] }])(
    'says that there is no output: %j',
    (raw) => {
      expect(read(raw as JsonObject)).toEqual({ status: 'success', text: '(no output)' })
    },
  )

  it.each([
    ['a text', 'plain'],
    ['one block', { type: 'text', text: 'plain' }],
  ])('reads content that is %s instead of a list', (_what, content) => {
    expect(read({ content }).text).toBe('plain')
  })

  it('reads the toolResult of the oldest servers', () => {
    expect(read({ toolResult: { rows: 3 } }).text).toBe('{"rows":3}')
  })

  it.each([
    { isError: true, content: [words('quota used up')], structuredContent: { error: 'x' } },
    { isError: true, content: [words('quota used up')] },
  ])('E16: an error keeps its cause whatever its structured data is: %j', (raw) => {
    const { status, text } = read(raw, { outputSchema })
    expect({ status, text }).toEqual({ status: 'error', text: 'quota used up' })
  })

  it('E16: a run tells the model the cause, and does not count a retry', async () => {
    const raw = { isError: true, content: [words('quota used up')], structuredContent: { error: 'x' } }
    const quota = tool({
      name: 'quota',
      description: 'Fails.',
      execute: () => readCallResult(raw, { toolName: 'quota', outputSchema }),
    })
    const { outcome, response } = await new ToolExecutor({ tools: [quota] }).execute({
      name: 'quota',
      input: {},
    })
    expect([outcome, response.text]).toEqual(['error', 'quota used up'])
  })

  it('says of an error without words that there are none', () => {
    const { status, text } = read({ isError: true, content: [] })
    expect([status, text]).toEqual(['error', 'files_read failed, and its server did not say why.'])
    expect(read({ isError: true, content: [], structuredContent: { why: 'x' } }).text).toBe('{"why":"x"}')
  })

  describe('files', () => {
    it('E18: a blob is kept as a part with name, type and size; the model reads a short line', () => {
      const { text, parts } = read(
        content({
          type: 'resource',
          resource: { uri: 'file:///r.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' },
        }),
      )
      expect(text).toBe('[file: file:///r.pdf, application/pdf, 5 B]')
      expect(parts).toEqual([
        {
          type: 'file',
          mediaType: 'application/pdf',
          name: 'r.pdf',
          size: 5,
          data: new TextEncoder().encode('%PDF-'),
        },
      ])
    })

    it('E18: a blob that is text is decoded to it', () => {
      const blob = btoa('name,age\nAda,36')
      const resource = { uri: 'file:///people.csv', mimeType: 'text/csv', blob }
      const { text, parts } = read(content({ type: 'resource', resource }))
      expect(text).toBe('[file: file:///people.csv, text/csv, 15 B]\nname,age\nAda,36')
      expect(parts).toMatchObject([{ mediaType: 'text/csv', size: 15, appOnly: true }])
    })

    it('E20: one image only is an image part, named in the text with its size', () => {
      const { text, parts } = read(content({ type: 'image', data: png, mimeType: 'image/png' }))
      expect(text).toBe('[image: image/png, 70 B]')
      expect(parts).toEqual([
        {
          type: 'image',
          mediaType: 'image/png',
          size: 70,
          data: Uint8Array.from(Buffer.from(png, 'base64')),
        },
      ])
    })

    it.each(['image/svg+xml', 'IMAGE/SVG+xml; charset=utf-8'])(
      'E20: %s is noted in the text, and is no image for the app to show or a model to see',
      (mimeType) => {
        const { text, parts } = read(content({ type: 'image', data: svg, mimeType }))
        expect(text).toBe(`[image: ${mimeType}, 59 B]`)
        expect(parts).toMatchObject([{ type: 'file', mediaType: mimeType, appOnly: true }])
      },
    )

    it('an SVG under the type of another picture does not reach a model either', () => {
      const { parts } = read(content({ type: 'image', data: svg, mimeType: 'image/png' }))
      expect(parts).toMatchObject([{ appOnly: true }])
    })

    it('a picture has the type of its bytes, as providers refuse any other', () => {
      const { parts } = read(content({ type: 'image', data: png, mimeType: 'image/jpeg' }))
      expect(parts).toMatchObject([{ type: 'image', mediaType: 'image/png' }])
      expect(parts?.[0]).not.toHaveProperty('appOnly')
    })

    it('audio is a part for the app', () => {
      const { text, parts } = read(content({ type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }))
      expect(text).toBe('[audio: audio/wav, 4 B]')
      expect(parts).toMatchObject([{ type: 'file', mediaType: 'audio/wav', size: 4, appOnly: true }])
    })

    it('a resource of text is read by the model, and is a part for the app', () => {
      const resource = { uri: 'ui://widget/clock', mimeType: 'text/html;profile=mcp-app', text: '<p>12:00' }
      const { text, parts } = read(content({ type: 'resource', resource }))
      expect(text).toBe('[resource: ui://widget/clock, text/html;profile=mcp-app]\n<p>12:00')
      expect(parts).toMatchObject([
        { name: 'clock', mediaType: 'text/html;profile=mcp-app', size: 8, appOnly: true },
      ])
    })

    it('a link is a part with its address, which no model is sent to', () => {
      const { text, parts } = read(
        content({
          type: 'resource_link',
          uri: 'https://x.example/a/report.csv?page=2',
          name: 'report',
          title: 'The report',
          description: 'of\nMay',
          mimeType: 'text/csv',
          size: 1234,
        }),
      )
      expect(text).toBe('[link: The report, https://x.example/a/report.csv?page=2, of May, text/csv, 1 kB]')
      const data = 'https://x.example/a/report.csv?page=2'
      expect(parts).toEqual([
        { type: 'file', mediaType: 'text/csv', data, name: 'report', size: 1234, appOnly: true },
      ])
    })

    it('content that the server means for the person alone is not sent to a model', () => {
      const annotations = { audience: ['user'], priority: 0.5 }
      const { parts } = read(content({ type: 'image', data: png, mimeType: 'image/png', annotations }))
      expect(parts).toMatchObject([{ type: 'image', appOnly: true }])
    })

    it('data with the beginning of a data: address is read', () => {
      const { parts } = read(
        content({ type: 'image', data: `data:image/png;base64,${png}`, mimeType: 'image/png' }),
      )
      expect(parts).toMatchObject([{ type: 'image', size: 70 }])
    })

    it('data that is no base64 is named and not kept', () => {
      const { text, parts } = read(content({ type: 'image', data: 'not base64!', mimeType: 'image/png' }))
      expect(text).toMatch(/^\[image: image\/png, \d+ B; left out because its data is not base64\]$/)
      expect(parts).toBeUndefined()
    })

    it('a file over the limit is named and not decoded', () => {
      const data = 'A'.repeat(20_000_000)
      const { text, parts } = read(content({ type: 'image', data, mimeType: 'image/png' }))
      expect(text).toBe('[image: image/png, 15 MB; left out because it is too large]')
      expect(parts).toBeUndefined()
    })

    it('files over the limit together, and files that are too many, are named', () => {
      const large = { type: 'audio', data: 'A'.repeat(12_000_000), mimeType: 'audio/wav' }
      expect(read(content(large, large, large)).parts).toHaveLength(2)
      const small = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }
      const { parts, text } = read(content(...Array.from({ length: 60 }, () => small)))
      expect(parts).toHaveLength(50)
      expect(text).toContain('left out because the result holds too many files')
    })
  })

  it('a content type that it does not know is named, and nothing of it shown', () => {
    const { text } = read(content({ type: 'video]\n', data: png }, { data: png }, words('end')))
    expect(text).toBe(
      '[content of the unknown type "video" is left out]\n[content that cannot be read is left out]\nend',
    )
  })

  it('blocks that are not as the protocol says are named', () => {
    const blocks = [
      null,
      3,
      { type: 'text' },
      { type: 'image' },
      { type: 'resource' },
      { type: 'resource_link' },
    ]
    const { text } = read({ content: [...blocks, { type: 'resource', resource: { uri: 'x:y' } }] })
    expect(text.split('\n')).toEqual(Array(7).fill('[content that cannot be read is left out]'))
  })

  it('more than a thousand blocks are counted', () => {
    const { text } = read(content(...Array.from({ length: 1_234 }, () => ({ type: 'text', text: 'a' }))))
    expect(text.endsWith('a\n[234 more pieces of content are left out]')).toBe(true)
  })

  it('the longest text ends with how much was cut off, and never in half a character', () => {
    const whole = '🙂'.repeat(40_000)
    const { status, text, metadata } = read(content({ type: 'text', text: whole }), { maxResultChars: 1_001 })
    expect(status).toBe('partial')
    expect(text.length).toBeLessThanOrEqual(1_001)
    const { kept, left } =
      /^(?<kept>(?:🙂)+)\n\[Cut off here: (?<left>\d+) of 80000 /u.exec(text)?.groups ?? {}
    expect(Number(left)).toBe(80_000 - String(kept).length)
    expect(metadata).toEqual({ cutChars: Number(left) })
  })

  it('the longest text has 50,000 characters unless said otherwise', () => {
    expect(read(content(words('x'.repeat(50_000)))).status).toBe('success')
    expect(read(content(words('x'.repeat(50_001)))).status).toBe('partial')
    expect(read({ isError: true, ...content(words('x'.repeat(50_001))) }).status).toBe('error')
  })

  it('D15: half of a surrogate pair is replaced, in a text and in a name', () => {
    expect(read(content(words('ok \ud83d'))).text).toBe('ok \ufffd')
    const resource = { uri: 'file:///a\ud83d', mimeType: 'text/plain', text: 'b\udc00' }
    expect(read(content({ type: 'resource', resource })).text).not.toMatch(/\p{Surrogate}/u)
    expect(read({ structuredContent: { 'a\ud83d': 1 } }).text).not.toMatch(/\p{Surrogate}/u)
  })

  describe('structured data', () => {
    it('is the data, beside the text that says the same', () => {
      const raw = { ...content(words('{"rows":3}')), structuredContent: { rows: 3 } }
      expect(read(raw, { outputSchema })).toEqual({
        status: 'success',
        text: '{"rows":3}',
        data: { rows: 3 },
      })
    })

    it('is shown as JSON when the server says nothing in words', () => {
      const { text } = read({ ...content({ type: 'image', data: png }), structuredContent: { rows: 3 } })
      expect(text).toBe('[image: image/png, 70 B]\n{"rows":3}')
    })

    it('that does not fit the outputSchema is kept, with a note', () => {
      const raw = { ...content(words('3 rows')), structuredContent: { rows: 'three' } }
      const { status, text, data, metadata } = read(raw, { outputSchema })
      expect(status).toBe('success')
      expect(text).toMatch(/^3 rows\n\[The structured data does not fit the tool's outputSchema: at "rows": /)
      expect(data).toEqual({ rows: 'three' })
      expect(metadata).toMatchObject({ outputIssues: [{ path: 'rows' }] })
    })

    it('that is missing is noted, also behind a text that is cut', () => {
      const { text, status } = read(content(words('x'.repeat(500))), { outputSchema, maxResultChars: 300 })
      expect(status).toBe('partial')
      expect(text.endsWith("[The structured data that the tool's outputSchema promises is missing.]")).toBe(
        true,
      )
      expect(text.length).toBeLessThanOrEqual(300)
    })

    it.each([
      ['is checked', 20_000, 1],
      ['is not checked any more', 20_001, 0],
    ])('of a certain length %s: %d characters of JSON', (_what, length, issues) => {
      const rows = 'x'.repeat(length - JSON.stringify({ rows: '' }).length)
      const { data, metadata } = read({ structuredContent: { rows } }, { outputSchema })
      expect(data).toEqual({ rows })
      expect((metadata?.outputIssues as readonly unknown[] | undefined)?.length ?? 0).toBe(issues)
    })

    it('is taken as it is where the outputSchema cannot be used', () => {
      const odd = { type: 'object', properties: { a: { $anchor: 'x' } } }
      const { text, metadata } = read({ structuredContent: { a: 1 } }, { outputSchema: odd })
      expect([text, metadata]).toEqual(['{"a":1}', undefined])
    })

    it('fits a schema without type (E13)', () => {
      const schema = { properties: { result: {} } }
      expect(read({ structuredContent: { result: 'x' } }, { outputSchema: schema }).text).toBe(
        '{"result":"x"}',
      )
    })

    it.each([png.repeat(20), `data:image/png;base64,${png.repeat(20)}`])(
      'does not become base64 in the text',
      (data) => {
        const { text, data: kept } = read({ structuredContent: { image: data } })
        expect(text).toBe(`{"image":"[${data.length} characters of base64]"}`)
        expect(kept).toEqual({ image: data })
      },
    )

    const nested = (levels: number) => {
      let data: JsonObject = {}
      for (let level = 1; level < levels; level += 1) data = { a: data }
      return data
    }

    it.each<[string, JsonObject]>([
      ['nested deeper than 100 levels', nested(101)],
      ['made of more than 200,000 parts', { rows: Array.from({ length: 200_000 }, () => ({})) }],
      ['larger than 10 MiB', { text: 'x'.repeat(10 * 1024 * 1024) }],
    ])('that is %s is left out with a note, and the words stay', (_what, structuredContent) => {
      const { data, ...rest } = read({ ...content(words('3 rows')), structuredContent }, { outputSchema })
      expect(data).toBeUndefined()
      expect(rest).toEqual({
        status: 'success',
        text: '3 rows\n[The structured data is left out because it is too large or nested too deeply.]',
      })
    })

    it('of 100 levels is kept', () => {
      expect(read({ structuredContent: nested(100) }).data).toEqual(nested(100))
    })

    it('that is nested far too deeply to be shown costs nothing else', () => {
      const structuredContent = JSON.parse(`${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`) as JsonObject
      const { data, text } = read(
        { structuredContent },
        {
          outputSchema: { items: { $ref: '#/$defs/x' }, $defs: { x: { properties: { a: { $ref: '#' } } } } },
        },
      )
      expect(text).toContain('[The structured data is left out')
      expect(data).toBeUndefined()
    })
  })

  it("the server's _meta is in the metadata", () => {
    const _meta = { 'com.example/trace': 'a', progressToken: 1 }
    expect(read({ ...content(words('x')), _meta })).toEqual({
      status: 'success',
      text: 'x',
      metadata: { _meta },
    })
  })

  it.each<[string, JsonObject]>([
    ['nested deeper than 32 levels', JSON.parse(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`) as JsonObject],
    ['nested without an end', JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as JsonObject],
    ['larger than 64 KiB', { a: 'x'.repeat(64 * 1024) }],
    ['made of more than 4,096 parts', { a: Array.from({ length: 4_096 }, () => ({})) }],
  ])('a _meta that is %s is left out, and that is said', (_what, _meta) => {
    expect(read({ ...content(words('x')), _meta })).toEqual({
      status: 'success',
      text: 'x',
      metadata: { metaLeftOut: true },
    })
  })

  it('speaks the language that it is given', () => {
    expect(read({ content: [] }, { texts: resultTextsZh }).text).toBe('（无输出）')
    const { text } = read(content({ type: 'image', data: png }), { texts: resultTextsZh })
    expect(text).toBe('[图片：image/png, 70 B]')
  })
})
