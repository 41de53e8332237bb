import { defined } from '../../tool/defined.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import type { ResponsePart } from '../../tool/tool-response.ts'
import { asList, isRecord } from '../../tool/value-kinds.ts'
import { oneLine } from '../definitions/clean-text.ts'
import { withoutHidden } from '../definitions/hidden-characters.ts'
import { cappedText } from './capped-text.ts'
import { readContent } from './read-content.ts'
import { type ResultTexts, resultTextsEn } from './result-texts.ts'

/** More messages of one prompt than this are left out. */
const maxMessages = 200
const maxDescriptionChars = 4_096

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant'
  /** Without what cannot be seen. A line stands in it where the server gave something that is no text. */
  readonly text: string
  /** What was taken out of the text, such as `U+200B ×3`; absent for nothing. */
  readonly hidden?: string
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
    const { text, hidden } = withoutHidden(cappedText(lines.join('\n'), '', maxChars, texts).text)
    return [{ role, text, ...(hidden !== '' && { hidden }), ...(parts.length > 0 && { parts }) }]
  })
  const description =
    typeof raw.description === 'string' ? oneLine(raw.description, maxDescriptionChars) : undefined
  return defined({ description, messages, leftOut: given.length - messages.length })
}
