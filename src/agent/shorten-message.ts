import { readFence } from '../execution/fence.ts'
import { readNote } from '../execution/result-handle.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { AssistantMessage, FilePart, Message, MessageResult } from './message.ts'

/** Longer texts are shortened, in characters. */
const longestText = 400
/** How much of one is kept: with the note behind it, still less than what is shortened. */
const keptText = 300

/**
 * A message with its long texts shortened and its files left out, of the same shape. What the person wrote and what
 * the model said stays, and so does every message in which a provider signed something: it must come back unchanged.
 */
export function shortenMessage(message: Message): Message {
  if (message.role === 'tool') return { ...message, results: message.results.map(shortenResult) }
  if (message.role === 'user') {
    const { parts, ...rest } = message
    return { ...rest, text: withFileLines(rest.text, parts) }
  }
  const signed = message.parts?.some(({ providerMetadata }) => providerMetadata !== undefined)
  return signed ? message : shortenCalls(message)
}

function shortenResult({ parts, ...result }: MessageResult): MessageResult {
  return { ...result, text: withFileLines(shortenResultText(result.text), parts) }
}

function shortenCalls(message: AssistantMessage): AssistantMessage {
  const { calls, parts } = message
  return {
    ...message,
    ...(calls === undefined
      ? {}
      : { calls: calls.map((call) => ({ ...call, input: shortenJson(call.input) as JsonObject })) }),
    // What a model thought long ago helps no more.
    ...(parts === undefined ? {} : { parts: parts.filter(({ type }) => type !== 'reasoning') }),
  }
}

function withFileLines(text: string, files: readonly FilePart[] = []): string {
  const lines = files.map(({ type, name, mediaType }) => `[${type} left out: ${name ?? mediaType}]`)
  return [text, ...lines].filter((line) => line !== '').join('\n')
}

/** Strings become shorter; everything else stays, so that it is still JSON that fits the tool's schema. */
function shortenJson(value: unknown): unknown {
  if (typeof value === 'string') return shortenText(value)
  if (Array.isArray(value)) return value.map(shortenJson)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortenJson(item)]))
}

/** A fence stays whole round what is left of its text, and so does the line that says how the rest is read. */
function shortenResultText(text: string): string {
  const fenced = readFence(text)
  if (fenced === undefined) return shortenAroundNote(text)
  const { open, inside, close, behind } = fenced
  return `${open}${shortenText(inside)}${close}${shortenAroundNote(behind)}`
}

function shortenAroundNote(text: string): string {
  const { before, line, behind } = readNote(text) ?? { before: text, line: '', behind: '' }
  // With the line break at its end the line stays one of its own.
  const shortened = before.endsWith('\n') ? `${shortenText(before.slice(0, -1))}\n` : shortenText(before)
  return `${shortened}${line}${shortenText(behind)}`
}

function shortenText(text: string): string {
  if (text.length <= longestText) return text
  // Half of a surrogate pair would be refused by strict servers.
  const head = text.slice(0, keptText).replace(/[\ud800-\udbff]$/, '')
  return `${head}… [${text.length - head.length} characters left out]`
}
