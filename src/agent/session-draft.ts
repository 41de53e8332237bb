import { defined } from '../tool/defined.ts'
import type { ToolCall, ToolResult } from '../tool/tool-result.ts'
import type { AssistantPart, Message, MessageCall, MessageResult } from './message.ts'
import type { AgentEvent } from './run-result.ts'
import type { CallActivity } from './session-snapshot.ts'

/** What a draft reads of an event. Those of a kind that it does not know change nothing. */
type DraftEvent = AgentEvent | StreamedEvent

/** What comes while a model writes. */
type StreamedEvent =
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | {
      readonly type: 'call-input-delta'
      readonly callId: string
      readonly name: string
      readonly text: string
    }
  | { readonly type: 'file'; readonly file: Extract<AssistantPart, { readonly type: 'image' | 'file' }> }

/** The types of events of which many come in a second. */
export const streamedTypes: readonly string[] = [
  'text-delta',
  'reasoning-delta',
  'call-input-delta',
  'progress',
]

type ActivityNews = Partial<Omit<CallActivity, 'callId' | 'name'>>

/** The step that is under way, as its events tell it. Each event costs the same, however much there is. */
export class SessionDraft {
  readonly #parts: AssistantPart[] = []
  readonly #calls = new Map<string, MessageCall>()
  /** The ids of the calls that have their place among the parts. */
  readonly #placed = new Set<string>()
  readonly #results = new Map<string, MessageResult>()
  readonly #activity = new Map<string, CallActivity>()
  #text = ''
  #said: Message | undefined
  #messages: readonly Message[] | undefined
  #active: readonly CallActivity[] | undefined

  /** Takes an event; whether it changed anything. */
  take(event: DraftEvent): boolean {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return this.#write(event.type === 'text-delta' ? 'text' : 'reasoning', event.text)
      case 'file':
        return this.#say(event.file)
      case 'call-input-delta':
        return this.#writeCall(event)
      case 'call':
        return this.#read(event.call) && this.#follow(event.callId, { phase: 'waiting' })
      case 'approval-requested':
        return this.#follow(event.callId, { phase: 'waiting-for-approval' })
      case 'approval-answered':
        return this.#follow(event.callId, { phase: 'waiting' })
      case 'call-started': {
        const { callId, input, lane, at } = event
        return this.#follow(callId, defined({ phase: 'running' as const, input, lane, startedAt: at }))
      }
      case 'progress':
        return this.#follow(event.callId, { progress: event.value })
      case 'result':
        return this.#end(event.result)
      default:
        return false
    }
  }

  /** Takes what a step said from storage. */
  begin(text: string, parts: readonly AssistantPart[] = text === '' ? [] : [{ type: 'text', text }]): void {
    this.#text = text
    for (const part of parts) this.#say(part)
  }

  /** Takes what is known of a call from storage. */
  add(call: ToolCall, result?: Omit<MessageResult, 'callId' | 'name'>): void {
    this.#read(call)
    if (result === undefined) return
    const { text, outcome, parts, taint } = result
    this.#settle(defined({ callId: call.id, name: call.name, text, outcome, parts, taint }))
  }

  /** The message and the results of its calls that are over: none, one or two messages. */
  get messages(): readonly Message[] {
    this.#messages ??= this.#toMessages()
    return this.#messages
  }

  get activity(): readonly CallActivity[] {
    this.#active ??= [...this.#activity.values()]
    return this.#active
  }

  /** The calls that wait for nothing any more: their run has ended or pauses. */
  rest(): void {
    this.#activity.clear()
    this.#active = undefined
  }

  #write(type: 'text' | 'reasoning', text: string): boolean {
    if (text === '') return false
    if (type === 'text') this.#text += text
    const last = this.#parts.at(-1)
    if (last?.type !== type) return this.#say({ type, text })
    this.#parts[this.#parts.length - 1] = { ...last, text: last.text + text }
    return this.#changed()
  }

  #say(part: AssistantPart): boolean {
    this.#parts.push(part)
    if (part.type === 'call') this.#placed.add(part.callId)
    return this.#changed()
  }

  #writeCall({ callId, name, text }: { callId: string; name: string; text: string }): boolean {
    if (!this.#calls.has(callId)) this.#read({ id: callId, name, input: {} })
    const inputText = (this.#activity.get(callId)?.inputText ?? '') + text
    this.#activity.set(callId, { callId, name, phase: 'writing', inputText })
    this.#active = undefined
    return true
  }

  #read(call: ToolCall): boolean {
    const { id, providerId, name, input } = call
    if (!this.#placed.has(id)) this.#say({ type: 'call', callId: id })
    this.#calls.set(id, defined({ id, providerId, name, input }))
    return this.#changed()
  }

  #follow(callId: string, news: ActivityNews): boolean {
    const call = this.#calls.get(callId)
    // Late news of a call that is over.
    if (call === undefined || this.#results.has(callId)) return false
    const { inputText: _written, ...before } = this.#activity.get(callId) ?? {
      phase: 'waiting' as const,
      inputText: undefined,
    }
    const { name, input } = call
    this.#activity.set(callId, { ...before, callId, name, input, ...news })
    this.#active = undefined
    return true
  }

  #end({ call, outcome, response, taint }: ToolResult): boolean {
    this.#read(call)
    this.#activity.delete(call.id)
    this.#active = undefined
    // It waits: its result is still to come.
    if (outcome === 'deferred') return true
    return this.#settle(defined({ callId: call.id, name: call.name, text: response.text, outcome, taint }))
  }

  #settle(result: MessageResult): boolean {
    this.#results.set(result.callId, result)
    this.#messages = undefined
    return true
  }

  #changed(): boolean {
    this.#said = undefined
    this.#messages = undefined
    return true
  }

  #toMessages(): readonly Message[] {
    if (this.#parts.length === 0) return []
    this.#said ??= this.#toMessage()
    if (this.#results.size === 0) return [this.#said]
    const results = [...this.#calls.keys()].flatMap((id) => this.#results.get(id) ?? [])
    return [this.#said, { role: 'tool', results }]
  }

  #toMessage(): Message {
    const calls = this.#calls.size === 0 ? undefined : [...this.#calls.values()]
    const parts = isPlain(this.#parts) ? undefined : [...this.#parts]
    return defined({ role: 'assistant' as const, text: this.#text, calls, parts })
  }
}

/** Whether a message is text followed by calls, so that nothing is to be said of its order. */
function isPlain(parts: readonly AssistantPart[]): boolean {
  return parts.every(({ type }, index) => type === 'call' || (type === 'text' && index === 0))
}
