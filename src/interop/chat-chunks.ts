import { readParts, seenOf } from '../agent/result-parts.ts'
import type { AgentEvent } from '../agent/run-result.ts'
import { defined } from '../tool/defined.ts'
import { modelTextsEn } from '../tool/model-texts.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { ChatChunk } from './chat-types.ts'
import { hostOutput } from './host-output.ts'

/** Tells what happens in a run as AI SDK's user interface understands it. */
export class ChatChunks {
  /** The calls that the interface knows: of this run, and of the part of it before it paused. */
  readonly #shown: Set<string>
  /** Those that are shown whole. */
  readonly #available = new Set<string>()
  #inStep = false
  #open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined
  #texts = 0

  /** @param known - The calls that the interface has been told of. */
  constructor(known: Iterable<string> = []) {
    this.#shown = new Set(known)
  }

  /** The pieces for an event, in order. */
  async of(event: AgentEvent): Promise<ChatChunk[]> {
    switch (event.type) {
      case 'text-delta':
        return this.#said('text', event.text)
      case 'reasoning-delta':
        return this.#said('reasoning', event.text)
      case 'file': {
        const { data, mediaType } = event.file
        const url = /^[a-z]+:/i.test(data) ? data : `data:${mediaType};base64,${data}`
        return [...this.#begin(), ...this.#endText(), { type: 'file', url, mediaType }]
      }
      case 'call-input-delta': {
        const { callId: toolCallId, name, text } = event
        return [
          ...this.#call(toolCallId, name),
          { type: 'tool-input-delta', toolCallId, inputTextDelta: text },
        ]
      }
      case 'call':
        return this.#whole(event.call)
      case 'progress': {
        const output = { status: 'running', text: '', progress: event.value }
        return [{ type: 'tool-output-available', toolCallId: event.callId, output, preliminary: true }]
      }
      case 'result':
        return [...this.#whole(event.result.call), ...(await ended(event.result))]
      case 'step-end':
        return this.endStep()
      default:
        return []
    }
  }

  /** Ends the step that is open. */
  endStep(): ChatChunk[] {
    const chunks = this.#endText()
    if (this.#inStep) chunks.push({ type: 'finish-step' })
    this.#inStep = false
    return chunks
  }

  #whole({ id, name, input }: ToolResult['call']): ChatChunk[] {
    if (this.#available.has(id) || (this.#shown.has(id) && !this.#inStep)) return []
    this.#available.add(id)
    const begun = this.#call(id, name)
    return [...begun, { type: 'tool-input-available', toolCallId: id, toolName: name, input }]
  }

  #call(toolCallId: string, toolName: string): ChatChunk[] {
    if (this.#shown.has(toolCallId)) return []
    this.#shown.add(toolCallId)
    return [...this.#begin(), ...this.#endText(), { type: 'tool-input-start', toolCallId, toolName }]
  }

  #said(kind: 'text' | 'reasoning', delta: string): ChatChunk[] {
    const chunks = this.#begin()
    if (this.#open?.kind !== kind) {
      chunks.push(...this.#endText())
      this.#texts += 1
      this.#open = { kind, id: `${kind}-${this.#texts}` }
      chunks.push({ type: `${kind}-start`, id: this.#open.id })
    }
    chunks.push({ type: `${kind}-delta`, id: this.#open.id, delta })
    return chunks
  }

  #endText(): ChatChunk[] {
    const open = this.#open
    this.#open = undefined
    return open === undefined ? [] : [{ type: `${open.kind}-end`, id: open.id }]
  }

  /** A step that goes on after a question has begun before: only what the model says begins another one. */
  #begin(): ChatChunk[] {
    if (this.#inStep) return []
    this.#inStep = true
    return [{ type: 'start-step' }]
  }
}

async function ended(result: ToolResult): Promise<ChatChunk[]> {
  const { call, outcome, response } = result
  const toolCallId = call.id
  if (outcome === 'deferred') return []
  if (outcome === 'denied') return [{ type: 'tool-output-denied', toolCallId }]
  const isOk = outcome === 'success' || outcome === 'partial'
  if (!isOk) return [{ type: 'tool-output-error', toolCallId, errorText: response.text }]
  await readParts([result], modelTextsEn, new AbortController().signal)
  const { text, parts = [] } = seenOf(response)
  const output = hostOutput({ result, isOk, text, parts })
  return [defined({ type: 'tool-output-available' as const, toolCallId, output })]
}
