import { ownWords } from '../execution/result-taint.ts'
import type { ReadBefore } from '../execution/run-taint.ts'
import { sourceOfResult } from '../execution/source-of-result.ts'
import type { Taint } from '../execution/taint.ts'
import type { TaintSource } from '../tool/taint-source.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { Message, MessageCall, MessageResult } from './message.ts'

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
      continue
    }
    for (const call of message.calls ?? []) calls.set(call.id, call)
  }
  return { untrusted, private: secrets, unjudged: [...unjudged] }
}

function sourceOf({ callId, name, taint }: MessageResult, call: MessageCall | undefined): TaintSource {
  const asked = call !== undefined && isRecord(call.input) ? call.input : {}
  return sourceOfResult({ call: { id: callId, name, input: asked } }, taint?.origin)
}

/** The conversation without any of it: the app vouches for what was read so far. */
export function withoutTaint(messages: readonly Message[]): readonly Message[] {
  return messages.map((message): Message => {
    if (message.role === 'assistant') return message
    if (message.role === 'user') {
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

/** The conversation that is left of another one; its first words of the person also say what was read in what is gone. */
export function withTaintOf(left: readonly Message[], gone: readonly Message[]): readonly Message[] {
  const index = left.findIndex(({ role }) => role === 'user')
  const first = left[index]
  const { untrusted, private: secrets } = readBefore(first === undefined ? gone : [...gone, first])
  if (first?.role !== 'user' || untrusted.length + secrets.length === 0) return left
  const taint: Taint = { untrusted: untrusted.slice(0, maxCarried), private: secrets.slice(0, maxCarried) }
  return left.map((message, at) => (at === index ? { ...first, taint } : message))
}

/** What the person, the app and tools whose results are trusted have said. */
export function* trustedTexts(
  messages: readonly Message[],
  instructions: string | undefined,
  doubts: (toolName: string) => boolean,
): Generator<string> {
  if (instructions !== undefined) yield instructions
  for (const message of messages) {
    if (message.role === 'user') yield message.text
    if (message.role !== 'tool') continue
    for (const { name, text, taint } of message.results) {
      if (taint === undefined ? !doubts(name) : !taint.untrusted) yield text
    }
  }
}
