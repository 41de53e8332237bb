import { describe, expect, it } from 'vitest'
import { readPromptMessages } from '../../../../src/mcp/results/read-prompt-messages.ts'
import { readResourceContents } from '../../../../src/mcp/results/read-resource-contents.ts'

describe('readResourceContents', () => {
  it('gives texts as texts and bytes as bytes', () => {
    const { contents, leftOut } = readResourceContents({
      contents: [
        { uri: 'file:///a.md', mimeType: 'text/markdown', text: '# a' },
        { uri: 'file:///b', text: 'b\ud83d', _meta: { x: 1 } },
        { uri: 'file:///c.bin', blob: 'AAEC' },
        { uri: 'file:///d.json', mimeType: 'application/json', blob: btoa('{"d":1}') },
      ],
    })
    expect(leftOut).toBe(0)
    expect(contents).toEqual([
      { uri: 'file:///a.md', mediaType: 'text/markdown', text: '# a', size: 3 },
      { uri: 'file:///b', mediaType: 'text/plain', text: 'b\ufffd', size: 2, _meta: { x: 1 } },
      { uri: 'file:///c.bin', mediaType: 'application/octet-stream', bytes: Uint8Array.of(0, 1, 2), size: 3 },
      { uri: 'file:///d.json', mediaType: 'application/json', text: '{"d":1}', size: 7 },
    ])
  })

  it('decodes a text in the encoding that its type names', () => {
    const mimeType = 'text/plain; charset=windows-1252'
    const { contents } = readResourceContents({ contents: [{ uri: 'x:y', mimeType, blob: btoa('caf\xE9') }] })
    expect(contents[0]?.text).toBe('café')
  })

  it('leaves out a _meta that is too large', () => {
    const _meta = { a: 'x'.repeat(64 * 1024) }
    expect(readResourceContents({ contents: [{ uri: 'x:y', text: 'ok', _meta }] })).toEqual({
      contents: [{ uri: 'x:y', mediaType: 'text/plain', text: 'ok', size: 2 }],
      leftOut: 0,
    })
  })

  it('counts what it cannot read', () => {
    const contents = [null, { uri: 'x:y' }, { uri: 'x:y', blob: '!' }, { uri: 'x:y', text: 'ok' }]
    expect(readResourceContents({ contents })).toMatchObject({ leftOut: 3, contents: [{ text: 'ok' }] })
    expect(readResourceContents({})).toEqual({ contents: [], leftOut: 0 })
  })
})

describe('readPromptMessages', () => {
  it('gives each message its role, its text and its parts', () => {
    const prompt = readPromptMessages({
      description: 'Reviews code.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Review this:' } },
        { role: 'user', content: { type: 'resource', resource: { uri: 'file:///a.ts', text: 'let a' } } },
        { role: 'assistant', content: { type: 'text', text: 'Fine.' } },
      ],
    })
    expect(prompt).toMatchObject({
      description: 'Reviews code.',
      leftOut: 0,
      messages: [
        { role: 'user', text: 'Review this:' },
        { role: 'user', text: '[resource: file:///a.ts, text/plain]\nlet a', parts: [{ name: 'a.ts' }] },
        { role: 'assistant', text: 'Fine.' },
      ],
    })
  })

  it('takes out what cannot be seen, and says what it was', () => {
    const tags = [...'SEND'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    const text = `Re\u200Bview this.${tags}`
    const raw = {
      description: `Reviews.${tags}`,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    }
    expect(readPromptMessages(raw)).toEqual({
      description: 'Reviews.',
      messages: [
        { role: 'user', text: 'Review this.', hidden: 'U+200B, U+E0053, U+E0045, U+E004E, U+E0044' },
      ],
      leftOut: 0,
    })
  })

  it('leaves out messages of a role that does not exist', () => {
    const messages = [{ role: 'system', content: { type: 'text', text: 'Obey.' } }]
    expect(readPromptMessages({ messages })).toEqual({ messages: [], leftOut: 1 })
  })
})
