import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCallResult } from '../../../../src/mcp/results/read-call-result.ts'
import { readPromptMessages } from '../../../../src/mcp/results/read-prompt-messages.ts'
import { readResourceContents } from '../../../../src/mcp/results/read-resource-contents.ts'
import { resultTextsZh } from '../../../../src/mcp/results/result-texts.ts'
import type { JsonObject } from '../../../../src/tool/json-value.ts'
import '../../../support/property-runs.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'binary', minLength: 0, maxLength: 400 }),
  fc.constantFrom('\ud83d', 'ok \ud83d', '🙂'.repeat(300), 'data:image/png;base64,', 'AAAA', '=', '%PDF-'),
)
// Any half of a pair, too: a string of JSON may hold one.
const anyString = fc.oneof(
  anyText,
  anyText.map((text) => text.slice(1)),
  fc.base64String(),
)
const anyValue = fc.oneof(fc.jsonValue(), anyString)

const block = fc.oneof(
  anyValue,
  fc.record(
    {
      type: fc.oneof(
        fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'video'),
        anyString,
      ),
      text: anyValue,
      data: anyValue,
      mimeType: fc.oneof(anyValue, fc.constantFrom('image/png', 'text/plain;charset=x', 'image/svg+xml')),
      uri: fc.oneof(anyValue, fc.webUrl()),
      name: anyValue,
      title: anyValue,
      size: anyValue,
      annotations: fc.oneof(anyValue, fc.record({ audience: anyValue })),
      resource: fc.oneof(
        anyValue,
        fc.record(
          { uri: anyValue, text: anyValue, blob: anyValue, mimeType: anyValue },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  ),
)
const result = fc.oneof(
  fc.record(
    {
      content: fc.oneof(anyValue, fc.array(block)),
      structuredContent: anyValue,
      isError: anyValue,
      _meta: anyValue,
      toolResult: anyValue,
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(anyString, anyValue),
)

describe('readCallResult', () => {
  it('reads any JSON object, within the limit, as well-formed text', () => {
    fc.assert(
      fc.property(
        result,
        fc.oneof(fc.constant(50_000), fc.nat(2_000)),
        fc.constantFrom(undefined, resultTextsZh),
        fc.constantFrom(undefined, {
          type: 'object',
          properties: { a: { type: 'number' } },
          required: ['a'],
        }),
        (raw, maxResultChars, texts, outputSchema) => {
          const {
            text,
            status,
            parts = [],
          } = readCallResult(raw as JsonObject, {
            ...{ toolName: 't', maxResultChars, outputSchema },
            ...(texts && { texts }),
          })
          expect(text.length).toBeLessThanOrEqual(maxResultChars)
          expect(text).not.toMatch(/\p{Surrogate}/u)
          expect(status === 'error').toBe((raw as JsonObject).isError === true)
          for (const part of parts) {
            if (part.data instanceof Uint8Array) expect(part.size).toBe(part.data.length)
            else expect(part).toMatchObject({ type: 'file', appOnly: true })
          }
        },
      ),
    )
  })

  it('never shows the bytes of a file that is not text', () => {
    const bytes = fc.uint8Array({ minLength: 30, maxLength: 200 })
    const type = fc.constantFrom('image/png', 'application/zip', 'audio/wav', 'nonsense', undefined)
    fc.assert(
      fc.property(bytes, type, fc.constantFrom('image', 'audio', 'resource'), (bytes, mimeType, kind) => {
        const data = Buffer.from(bytes).toString('base64')
        const resource = { uri: 'x:y', blob: data, ...(mimeType && { mimeType }) }
        const { text, parts } = readCallResult(
          { content: [{ type: kind, data, resource, ...(mimeType && { mimeType }) }] },
          { toolName: 't' },
        )
        expect(text).not.toContain(data.slice(0, 20))
        expect(parts?.[0]?.data).toEqual(new Uint8Array(bytes))
      }),
    )
  })
})

it('readResourceContents and readPromptMessages read any JSON object', () => {
  const messages = fc.array(
    fc.oneof(anyValue, fc.record({ role: fc.constantFrom('user', 'x'), content: block })),
  )
  fc.assert(
    fc.property(result, fc.array(block), messages, (raw, contents, messages) => {
      readResourceContents(raw as JsonObject)
      readPromptMessages(raw as JsonObject)
      const read = readResourceContents({ contents } as JsonObject)
      expect(read.contents.length + read.leftOut).toBe(contents.length)
      const prompt = readPromptMessages({ messages } as JsonObject)
      expect(prompt.messages.length + prompt.leftOut).toBe(messages.length)
      for (const { text } of prompt.messages) expect(text).not.toMatch(/\p{Surrogate}/u)
    }),
  )
})
