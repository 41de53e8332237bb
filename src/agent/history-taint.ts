import { ownWords } from '../execution/result-taint.ts'
import type { ReadBefore } from '../execution/run-taint.ts'
import { sourceOfResult } from '../execution/source-of-result.ts'
import type { Taint } from '../execution/taint.ts'
import type { TrustedText } from '../execution/trusted-destinations.ts'
import type { TaintSource } from '../tool/taint-source.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { Message, MessageCall, MessageResult, UserMessage } from './message.ts'

/**
 * What a given conversation brings into a run. Results that runs have made say it themselves. Of others, as of a
 * conversation from elsewhere, it is found out by their tool's labels once the tools are known.
 */
export function readBefore(messages: readonly Message[]): ReadBefore {
  const untrusted: TaintSource[] = []
  const secrets: TaintSource[] = []
  const unjudged = new Set<string>()
  const calls = new Map<string, MessageCall>()
  for (const message of messages) {
    if (message.role === 'tool') {
      for (const result of message.results) {
        const { taint, name, outcome } = result
        if (taint === undefined) {
          if (!ownWords.includes(outcome)) unjudged.add(name)
          continue
        }
        const source = sourceOf(result, calls.get(result.callId))
        if (taint.untrusted) untrusted.push(source)
        if (taint.private) secrets.push(source)
      }
      continue
    }
    if (message.role === 'user') {
      untrusted.push(...(message.taint?.untrusted ?? []))
      secrets.push(...(message.taint?.private ?? []))
      for (const name of message.taint?.unjudged ?? []) unjudged.add(name)
      continue
    }
    untrusted.push(...(message.taint?.untrusted ?? []))
    for (const call of message.calls ?? []) calls.set(call.id, call)
  }
  return { untrusted: untrusted.toReversed(), private: secrets.toReversed(), unjudged: [...unjudged] }
}

function sourceOf({ callId, name, taint }: MessageResult, call: MessageCall | undefined): TaintSource {
  const asked = call !== undefined && isRecord(call.input) ? call.input : {}
  return sourceOfResult({ call: { id: callId, name, input: asked } }, taint?.origin)
}

/**
 * New messages of a run, of which what the model said also says whose descriptions it had read: in the next run these
 * may not be offered any more, and what the model made of them still is in the conversation.
 *
 * @param before - The conversation so far.
 */
export function withDescriptions(
  added: readonly Message[],
  { view }: { readonly view: Taint },
  before: readonly Message[],
): readonly Message[] {
  const all = view.untrusted.filter(({ kind }) => kind === 'description')
  // Most runs have none.
  if (all.length === 0 || added.length === 0) return added
  const said = before.flatMap((message) => (message.role === 'tool' ? [] : (message.taint?.untrusted ?? [])))
  const told = new Set(said.map(({ kind, origin }) => (kind === 'description' ? origin : undefined)))
  const untrusted = all.filter(({ origin }) => !told.has(origin))
  if (untrusted.length === 0) return added
  const taint = { untrusted, private: [] }
  return added.map((message) => (message.role === 'assistant' ? { ...message, taint } : message))
}

/** The conversation without any of it: the app vouches for what was read so far. */
export function withoutTaint(messages: readonly Message[]): readonly Message[] {
  return messages.map((message): Message => {
    if (message.role !== 'tool') {
      const { taint, ...rest } = message
      return taint === undefined ? message : rest
    }
    const results = message.results.map((result): MessageResult => {
      const { origin = 'app' } = result.taint ?? {}
      return { ...result, taint: { untrusted: false, private: false, origin } }
    })
    return { ...message, results }
  })
}

/** More sources than this are not carried on: one is enough to be tainted. */
const maxCarried = 3

/**
 * The conversation that is left of another one; its first words of the person also say what was read in what is gone.
 *
 * @param note - Stands there for the words of a person where there are none.
 */
export function withTaintOf(
  left: readonly Message[],
  gone: readonly Message[],
  note: string,
): readonly Message[] {
  const first = left.find((message): message is UserMessage => message.role === 'user')
  const { untrusted, private: secrets, unjudged } = readBefore(first === undefined ? gone : [...gone, first])
  if (untrusted.length + secrets.length + unjudged.length === 0) return left
  const read: Taint = { untrusted: untrusted.slice(0, maxCarried), private: secrets.slice(0, maxCarried) }
  const taint = unjudged.length === 0 ? read : { ...read, unjudged }
  if (first === undefined) return [{ role: 'user', text: note, taint }, ...left]
  return left.map((message) => (message === first ? { ...first, taint } : message))
}

/** What the person, the app and tools whose results are trusted have said. */
export function* trustedTexts(
  messages: readonly Message[],
  instructions: string | undefined,
  doubts: (toolName: string) => boolean,
): Generator<TrustedText> {
  if (instructions !== undefined) yield instructions
  const inputs = new Map<string, unknown>()
  for (const message of messages) {
    if (message.role === 'user') yield message
    if (message.role === 'assistant') for (const { id, input } of message.calls ?? []) inputs.set(id, input)
    if (message.role !== 'tool') continue
    for (const result of message.results) {
      const { name, taint, outcome } = result
      const isTrusted = taint === undefined ? !doubts(name) : !taint.untrusted
      // Of a call of no tool the library repeats the name, which the model made up.
      if (isTrusted && outcome !== 'unknown') yield trustedText(result, inputs)
    }
  }
}

const texts = new WeakMap<MessageResult, TrustedText>()

/** The same object each time: what it names is looked for once. */
function trustedText(result: MessageResult, inputs: ReadonlyMap<string, unknown>): TrustedText {
  const { text, callId } = result
  const known = texts.get(result) ?? { text, input: inputs.get(callId) }
  texts.set(result, known)
  return known
}
