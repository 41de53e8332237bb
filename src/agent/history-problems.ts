import { isRecord } from '../tool/value-kinds.ts'
import type { AssistantMessage, Message } from './message.ts'

/** The provider whose rules a history must keep beside those that all of them share. */
export type HistoryDialect = 'openai' | 'anthropic' | 'gemini' | 'mistral'

/** What is wrong at one place of a history. */
export interface HistoryProblem {
  /** Index of the message. */
  readonly index: number
  readonly message: string
}

/**
 * What each provider answers with an error. Sources: OpenAI, developers.openai.com/api/docs/guides/function-calling
 * (a tool message for each tool call, right behind it; names of 1 to 64 letters, digits, `_`, `-`); Anthropic,
 * platform.claude.com/docs/en/build-with-claude/working-with-messages and .../tool-use (starts with the user, no empty
 * content, results first in the next user message); Gemini, ai.google.dev/gemini-api/docs/function-calling (a call
 * stands behind a user turn or behind results) and .../thought-signatures; Mistral,
 * docs.mistral.ai/capabilities/function_calling (the last message is the person's or a tool's).
 */
const dialectRules: Readonly<Record<HistoryDialect, (messages: readonly Message[]) => HistoryProblem[]>> = {
  openai: (messages) => namesOver(messages, 64),
  anthropic: (messages) => [
    ...startsWithUser(messages),
    ...hasContent(messages),
    ...namesOver(messages, 128),
  ],
  gemini: (messages) => [
    ...startsWithUser(messages),
    ...namesOver(messages, 64),
    ...keepsSignatures(messages),
  ],
  mistral: (messages) => [...startsWithUser(messages), ...endsOpen(messages)],
}

/** Everything that is wrong with a history as it would be sent, in the order of its messages. */
export function historyProblems(
  messages: readonly Message[],
  dialect?: HistoryDialect,
): readonly HistoryProblem[] {
  const problems = [...messages.entries()].flatMap(([index, message]) => [
    ...(holdsLoneSurrogate(message) ? [at(index, 'a text or a key holds half of a surrogate pair')] : []),
    ...(message.role === 'assistant' ? problemsOfCalls(messages, index, message) : []),
    ...(message.role === 'tool' && !callsBefore(messages, index)
      ? [at(index, 'results stand behind no calls')]
      : []),
  ])
  const all = [...problems, ...repeatedIds(messages), ...(dialect ? dialectRules[dialect](messages) : [])]
  return all.sort((one, other) => one.index - other.index)
}

function at(index: number, message: string): HistoryProblem {
  return { index, message }
}

function callsBefore(messages: readonly Message[], index: number): boolean {
  const before = messages[index - 1]
  return before?.role === 'assistant' && (before.calls ?? []).length > 0
}

/** A call without its result, or with another one, makes every later request fail. */
function problemsOfCalls(
  messages: readonly Message[],
  index: number,
  { text, calls = [], parts }: AssistantMessage,
): HistoryProblem[] {
  const problems = calls
    .filter(({ input }) => !isRecord(input))
    .map(({ id }) => at(index, `the input of call ${id} is not an object`))
  if (calls.length > 0) problems.push(...problemsOfResults(messages[index + 1], index, calls))
  if (parts === undefined) return problems
  const places = parts.flatMap((part) => (part.type === 'call' ? [part.callId] : []))
  if (places.join('\n') !== calls.map(({ id }) => id).join('\n')) {
    problems.push(at(index, 'its parts do not name each of its calls once, in order'))
  }
  const said = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  if (said !== text) problems.push(at(index, 'the texts of its parts are not its text'))
  return problems
}

function problemsOfResults(
  next: Message | undefined,
  index: number,
  calls: readonly { readonly id: string; readonly name: string }[],
): HistoryProblem[] {
  if (next?.role !== 'tool') return [at(index, 'its calls have no results right behind it')]
  const wanted = calls.map(({ id, name }) => `${id} (${name})`).join(', ')
  const found = next.results.map(({ callId, name }) => `${callId} (${name})`).join(', ')
  return wanted === found
    ? []
    : [at(index + 1, `the results are for ${found || 'nothing'}, the calls are ${wanted}`)]
}

function repeatedIds(messages: readonly Message[]): HistoryProblem[] {
  const seen = new Set<string>()
  return messages.flatMap((message, index) =>
    (message.role === 'assistant' ? (message.calls ?? []) : []).flatMap(({ id }) => {
      if (!seen.has(id)) {
        seen.add(id)
        return []
      }
      return [at(index, `the call id ${id} was used before`)]
    }),
  )
}

function startsWithUser([first]: readonly Message[]): HistoryProblem[] {
  return first === undefined || first.role === 'user' ? [] : [at(0, 'the first message is not the user’s')]
}

function endsOpen(messages: readonly Message[]): HistoryProblem[] {
  return messages.at(-1)?.role === 'assistant'
    ? [at(messages.length - 1, 'the last message is the model’s own')]
    : []
}

function hasContent(messages: readonly Message[]): HistoryProblem[] {
  return messages.flatMap((message, index) => {
    if (message.role === 'tool') return []
    const isEmpty = message.text.trim() === '' && !message.parts?.length
    const hasCalls = message.role === 'assistant' && (message.calls ?? []).length > 0
    return isEmpty && !hasCalls ? [at(index, 'the message is empty')] : []
  })
}

function namesOver(messages: readonly Message[], longest: number): HistoryProblem[] {
  return messages.flatMap((message, index) =>
    (message.role === 'assistant' ? (message.calls ?? []) : [])
      .filter(({ name }) => !/^[\w-]+$/.test(name) || name.length > longest)
      .map(({ name }) => at(index, `"${name.slice(0, 80)}" is no name of a tool`)),
  )
}

/**
 * In the turn that is under way the first call of each message carries the signature it came with. Only looked at where
 * some call has one: models before Gemini 3 send none.
 */
function keepsSignatures(messages: readonly Message[]): HistoryProblem[] {
  const start = messages.findLastIndex(({ role }) => role === 'user')
  const ofTurn = [...messages.entries()].slice(start + 1)
  const unsigned = ofTurn
    .filter(([, message]) => message.role === 'assistant' && message.calls?.length)
    .flatMap(([index, message]) => (isSigned(message as AssistantMessage) ? [] : [index]))
  const signs = ofTurn.some(([, message]) => message.role === 'assistant' && isSigned(message))
  return signs ? unsigned.map((index) => at(index, 'its first call has lost its thought signature')) : []
}

function isSigned({ parts = [] }: AssistantMessage): boolean {
  const first = parts.find(({ type }) => type === 'call')
  return (
    first?.providerMetadata !== undefined &&
    JSON.stringify(first.providerMetadata).includes('thoughtSignature')
  )
}

/** Strict servers refuse the whole request for one. */
function holdsLoneSurrogate(message: Message): boolean {
  let found = false
  const isLone = (text: string) => /\p{Surrogate}/u.test(text)
  JSON.stringify(message, (key, value: unknown) => {
    found ||= isLone(key) || (typeof value === 'string' && isLone(value))
    return value
  })
  return found
}
