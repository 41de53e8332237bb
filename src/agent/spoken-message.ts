import type { GatedCall } from '../execution/run-batch.ts'
import { randomId } from '../tool/random-id.ts'
import type { CallRequest } from '../tool/tool-result.ts'
import type { Writable } from '../tool/writable.ts'
import type { EventOf } from './emit.ts'
import type { AssistantMessage, AssistantPart } from './message.ts'
import type { ModelEvent, ModelFinish, Usage } from './model-adapter.ts'

/** What of a message is known before the results of its calls. */
export type Spoken = Pick<AssistantMessage, 'text' | 'parts'>

/** A call of a message. */
export interface SpokenCall {
  readonly id: string
  readonly request: CallRequest
  /** Set when it went to the gates before the message was whole. */
  readonly ahead?: Promise<GatedCall>
}

/** One message of a model, as far as it came. */
export interface ModelMessage {
  readonly parts: readonly AssistantPart[]
  /** Those that are whole, in the order in which the model began them. */
  readonly calls: readonly SpokenCall[]
  readonly finish: ModelFinish
  readonly usage: Usage
  /** Set when the signal aborted or the model failed before the end. */
  readonly broken?: { readonly cause: unknown }
}

/** What is told of a message while it is read. */
export type MessageEvent = EventOf<'text-delta' | 'reasoning-delta' | 'call-input-delta' | 'file'>

/** Who looks at a message while it is read. */
export interface MessageListener {
  readonly tell: ((event: MessageEvent) => void) | undefined
  /** Takes a call that the provider has closed to the gates, if it may go there before the message is whole. */
  readonly begin?:
    | ((call: SpokenCall, before: readonly BegunCall[]) => Promise<GatedCall> | undefined)
    | undefined
}

/** A call as far as the model has written it. */
export interface BegunCall {
  readonly id: string
  readonly name: string
  readonly part: Writable<Extract<AssistantPart, { type: 'call' }>>
  request?: CallRequest
  ahead?: Promise<GatedCall>
}

const noUsage: Usage = Object.freeze({ inputTokens: 0, outputTokens: 0 })

type TextPart = Extract<AssistantPart, { type: 'text' | 'reasoning' }>
type ModelEventOf<Type extends ModelEvent['type']> = Extract<ModelEvent, { type: Type }>

/** Collects a message from its events; what one of them costs does not depend on how many came before. */
export class SpokenMessage {
  readonly #listener: MessageListener
  readonly #parts: AssistantPart[] = []
  readonly #calls: BegunCall[] = []
  /** The calls that are being written, by the provider's key. */
  #open: Map<string, BegunCall> | undefined
  /** The piece of text that is being written, and the provider's name of it. */
  #last: Writable<TextPart> | undefined
  #lastName: string | undefined
  #finish: ModelFinish = 'other'
  #usage: Usage = noUsage

  constructor(listener: MessageListener) {
    this.#listener = listener
  }

  add(event: ModelEvent): void {
    const { type } = event
    if (type === 'text-delta') this.#addText('text', event)
    else if (type === 'reasoning-delta') this.#addText('reasoning', event)
    else if (type === 'call') this.#addCall(event)
    else if (type === 'call-input-delta') {
      const { key, name, text } = event
      const { id } = this.#begin(name, key)
      this.#listener.tell?.({ type, callId: id, name, text })
    } else if (type === 'file') {
      this.#addPart(event.file)
      this.#listener.tell?.({ type, file: event.file })
    } else if (type === 'finish') {
      this.#finish = event.reason
      this.#usage = event.usage ?? this.#usage
    }
  }

  end(broken?: ModelMessage['broken']): ModelMessage {
    const calls = this.#calls.every(isWhole) ? this.#calls : this.#calls.filter(isWhole)
    const message = { parts: this.#parts, calls, finish: this.#finish, usage: this.#usage }
    return broken === undefined ? message : { ...message, broken }
  }

  #addText(
    type: TextPart['type'],
    { text = '', part, providerMetadata }: ModelEventOf<'text-delta' | 'reasoning-delta'>,
  ): void {
    if (text === '' && providerMetadata === undefined) return
    const last = this.#lastName === part ? this.#last : undefined
    const piece = last?.type === type ? last : this.#addPiece(type, part)
    piece.text += text
    if (providerMetadata !== undefined) piece.providerMetadata = providerMetadata
    if (text !== '') this.#listener.tell?.({ type: `${type}-delta`, text })
  }

  #addPiece(type: TextPart['type'], name: string | undefined): Writable<TextPart> {
    const piece: Writable<TextPart> = { type, text: '' }
    this.#addPart(piece)
    this.#last = piece
    this.#lastName = name
    return piece
  }

  #addPart(part: AssistantPart): void {
    this.#parts.push(part)
    this.#last = undefined
  }

  /** The call of a key. It stands where it was first seen. */
  #begin(name: string, key: string | undefined): BegunCall {
    const open = key === undefined ? undefined : this.#open?.get(key)
    if (open !== undefined) return open
    const id = randomId('call')
    const call: BegunCall = { id, name, part: { type: 'call', callId: id } }
    if (key !== undefined) {
      // Most calls come whole, without a key.
      this.#open ??= new Map()
      this.#open.set(key, call)
    }
    this.#calls.push(call)
    this.#addPart(call.part)
    return call
  }

  #addCall({ id, name, input, key, closed, providerMetadata }: ModelEventOf<'call'>): void {
    const call = this.#begin(name, key)
    // A provider that uses its key again means another call.
    if (key !== undefined) this.#open?.delete(key)
    if (providerMetadata !== undefined) call.part.providerMetadata = providerMetadata
    const request = id ? { name, input, providerId: id } : { name, input }
    call.request = request
    const { begin } = this.#listener
    if (!closed || begin === undefined) return
    const ahead = begin({ id: call.id, request }, this.#calls.slice(0, this.#calls.indexOf(call)))
    if (ahead !== undefined) call.ahead = ahead
  }
}

const isWhole = (call: BegunCall): call is BegunCall & SpokenCall => call.request !== undefined

/**
 * What goes into the conversation of a message with these calls; its other calls are left out. Of a broken one, only
 * what stands before one of the calls is as it must be for its provider to take it back: behind them, text and files
 * are kept, and nothing is said of how the provider names them.
 */
export function spoken(
  { parts, broken }: Pick<ModelMessage, 'parts' | 'broken'>,
  calls: readonly Pick<SpokenCall, 'id'>[],
): Spoken {
  const plain = plainText(parts)
  if (plain !== undefined) return { text: plain }
  const ids = new Set(calls.map(({ id }) => id))
  const kept = parts.filter((part) => part.type !== 'call' || ids.has(part.callId))
  const whole = broken === undefined ? kept.length : kept.findLastIndex(({ type }) => type === 'call') + 1
  const all = kept.flatMap((part, index): AssistantPart[] => {
    if (index < whole || part.type === 'file' || part.type === 'image') return [part]
    return part.type === 'text' ? [{ type: 'text', text: part.text }] : []
  })
  const text = plainText(all)
  if (text !== undefined) return { text }
  return { text: all.map((part) => (part.type === 'text' ? part.text : '')).join(''), parts: all }
}

/** The text of parts that are nothing but text followed by calls. */
function plainText(parts: readonly AssistantPart[]): string | undefined {
  let text = ''
  let isBehindCall = false
  for (const part of parts) {
    if (part.providerMetadata !== undefined) return undefined
    if (part.type === 'call') isBehindCall = true
    else if (part.type === 'text' && !isBehindCall) text += part.text
    else return undefined
  }
  return text
}
