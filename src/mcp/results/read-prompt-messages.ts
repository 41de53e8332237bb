import { defined } from '../../tool/defined.ts'
import { asList, isRecord, type JsonObject } from '../../tool/json-value.ts'
import type { ResponsePart } from '../../tool/tool-response.ts'
import { cappedText } from './capped-text.ts'
import { wellFormed } from './literal-line.ts'
import { readContent } from './read-content.ts'
import { type ResultTexts, resultTextsEn } from './result-texts.ts'

/** More messages of one prompt than this are left out. */
const maxMessages = 200

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  /** A line stands in it where the server gave something that is no text. */
  readonly text: string
  readonly parts?: readonly ResponsePart[]
}

/** What a prompt says once its arguments are filled in. */
export interface PromptMessages {
  readonly description?: string
  readonly messages: readonly PromptMessage[]
  /** Messages of a role that does not exist, and those that are too many. */
  readonly leftOut: number
}

/**
 * Reads what a server answered to `prompts/get`. Never throws: what is no message is counted. A prompt is the server's
 * text: show it to the person before it is sent.
 *
 * @param maxChars - Of one message's text. @default 50_000
 */
export function readPromptMessages(
  raw: JsonObject,
  {
    texts = resultTextsEn,
    maxChars = 50_000,
  }: { readonly texts?: ResultTexts; readonly maxChars?: number } = {},
): PromptMessages {
  const given = asList(raw.messages)
  const messages = given.slice(0, maxMessages).flatMap((message): PromptMessage[] => {
    if (!isRecord(message)) return []
    const { role, content } = message
    if (role !== 'user' && role !== 'assistant') return []
    const { lines, parts } = readContent(content, texts)
    const { text } = cappedText(lines.join('\n'), '', maxChars, texts)
    return [{ role, text, ...(parts.length > 0 && { parts }) }]
  })
  const description = typeof raw.description === 'string' ? wellFormed(raw.description) : undefined
  return defined({ description, messages, leftOut: given.length - messages.length })
}
