import type { FilePart, ProviderMetadata } from '../agent/message.ts'
import type { ModelEvent, ModelFinish, Usage } from '../agent/model-adapter.ts'
import { defined } from '../tool/defined.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { type ModelServer, messageIn, readJson, serverError, shownUrl } from './model-server.ts'
import { ToolCallAssembler } from './tool-call-assembler.ts'
import { reasoningMetadata } from './wire-metadata.ts'

type Wire = Record<string, unknown>

const finishReasons: ReadonlyMap<unknown, ModelFinish> = new Map<unknown, ModelFinish>([
  ['stop', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
])

/** Where servers put what a model thinks; the first of them that is there counts, as some send both. */
const reasoningFields = ['reasoning_content', 'reasoning']

/** Turns the chunks of one chat completion, or a whole one, into events. */
export class AnswerReader {
  readonly #server: ModelServer
  readonly #calls: ToolCallAssembler
  readonly #metadata = new Map<string, ProviderMetadata>()
  #events: ModelEvent[] = []
  #hasReasoning = false
  /** Whether the server said that this is all. */
  #isWhole = false
  #finish: unknown
  #usage: Usage | undefined
  #hasBegun = false
  #isDone = false
  /** Data that is no JSON: the last is one that was cut with the stream, which the end will say. */
  #broken: string | undefined

  constructor(server: ModelServer) {
    this.#server = server
    this.#calls = new ToolCallAssembler(server.model)
  }

  /** Whether the server's own end marker came: nothing counts after it. */
  get isDone(): boolean {
    return this.#isDone
  }

  /** The events in some chunks, one after the other: what came before an error is given before it is thrown. */
  *read(batch: readonly string[]): Generator<ModelEvent> {
    for (const data of batch) {
      if (this.#isDone) return
      this.#events = []
      this.#chunk(data)
      for (const event of this.#events) yield event
    }
  }

  /** The calls and the end. */
  end(): readonly ModelEvent[] {
    if (!this.#hasBegun) {
      const message = `${shownUrl(this.#server)} answered something that is no chat completion.`
      throw serverError(this.#server, `${message} Check baseURL, which often ends in /v1.`)
    }
    if (this.#finish === 'error') throw serverError(this.#server, 'The model server gave up in its answer.')
    const calls = this.#calls.finish()
    const isCut = this.#finish === undefined && !this.#isWhole
    const said = finishReasons.get(this.#finish) ?? 'other'
    // Some say `stop`, whatever the model did (ollama#7963, sglang#8316).
    const isStop = said === 'stop' || said === 'other'
    const reason = isCut ? 'length' : isStop && calls.length > 0 ? 'tool-calls' : said
    const finish = defined({ type: 'finish' as const, reason, usage: this.#usage })
    return [...this.#emptyReasoning(calls), ...calls, finish]
  }

  #chunk(data: string): void {
    if (this.#broken !== undefined) {
      throw serverError(this.#server, 'The model server sent something that is no JSON.', {
        body: this.#broken,
      })
    }
    if (data.startsWith('[DONE]')) {
      this.#isDone = true
      this.#isWhole = true
      return
    }
    const chunk = readJson(data)
    if (isRecord(chunk)) this.#readChunk(chunk)
    else if (data.trim() !== '') this.#broken = data
  }

  #readChunk(chunk: Wire): void {
    this.#checkError(chunk)
    this.#hasBegun ||= 'choices' in chunk || 'usage' in chunk
    this.#usage = readUsage(chunk.usage) ?? this.#usage
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
    if (!isRecord(choice)) return
    if (typeof choice.finish_reason === 'string') this.#finish = choice.finish_reason || this.#finish
    if (isRecord(choice.delta)) {
      this.#delta(choice.delta, false)
    } else if (isRecord(choice.message)) {
      this.#isWhole = true
      this.#delta(choice.message, true)
    }
  }

  #checkError(chunk: Wire): void {
    // vLLM and SGLang: {"object":"error","message":…}; others: {"error":{"message":…}}
    if (chunk.error == null && chunk.object !== 'error') return
    const { code } = isRecord(chunk.error) ? chunk.error : chunk
    const status = Number(code) >= 400 && Number(code) < 600 ? Number(code) : undefined
    const body = JSON.stringify(chunk.error ?? chunk)
    const message = `The model server broke off: ${messageIn(chunk) ?? body}`
    throw serverError(this.#server, message, { body, status })
  }

  #delta(delta: Wire, isMessage: boolean): void {
    this.#reasoning(delta)
    this.#content(delta.content)
    this.#text(delta.refusal)
    if (Array.isArray(delta.images)) this.#content(delta.images)
    if (!Array.isArray(delta.tool_calls)) return
    const ownPlaces = isMessage || delta.tool_calls.length > 1
    for (const [position, call] of delta.tool_calls.entries()) {
      const event = this.#calls.add(call, ownPlaces ? position : undefined)
      if (event !== undefined) this.#events.push(event)
    }
  }

  #text(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.#events.push({ type: 'text-delta', text })
  }

  #reasoning(delta: Wire): void {
    for (const field of reasoningFields) {
      const text = delta[field]
      if (typeof text !== 'string') continue
      const metadata = this.#metadata.get(field) ?? reasoningMetadata(this.#server.model, field)
      this.#metadata.set(field, metadata)
      if (text === '') continue
      this.#hasReasoning = true
      this.#events.push({ type: 'reasoning-delta', text, providerMetadata: metadata })
      return
    }
  }

  // DeepSeek refuses calls of a thinking model without their reasoning, also when there was none.
  #emptyReasoning(calls: readonly ModelEvent[]): readonly ModelEvent[] {
    const [providerMetadata] = this.#metadata.values()
    if (providerMetadata === undefined || this.#hasReasoning || calls.length === 0) return []
    return [{ type: 'reasoning-delta', text: '', providerMetadata }]
  }

  /** A text, or a list of parts. */
  #content(content: unknown): void {
    if (!Array.isArray(content)) {
      this.#text(content)
      return
    }
    for (const part of content) {
      if (!isRecord(part)) continue
      const file = readImage(part.image_url)
      if (file !== undefined) this.#events.push({ type: 'file', file })
      else if (Array.isArray(part.thinking)) this.#thinking(part.thinking)
      else this.#text(part.text)
    }
  }

  /** Mistral's way (https://docs.mistral.ai/capabilities/reasoning/). */
  #thinking(parts: readonly unknown[]): void {
    for (const part of parts) {
      if (!isRecord(part) || typeof part.text !== 'string' || part.text === '') continue
      this.#events.push({ type: 'reasoning-delta', text: part.text })
    }
  }
}

function readUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined
  const { prompt_tokens: input, completion_tokens: output } = usage
  if (typeof input !== 'number' && typeof output !== 'number') return undefined
  return { inputTokens: Number(input ?? 0), outputTokens: Number(output ?? 0) }
}

function readImage(image: unknown): FilePart | undefined {
  const url = isRecord(image) ? image.url : image
  if (typeof url !== 'string') return undefined
  const [, mediaType = 'image/png', data = url] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return { type: 'image', mediaType, data }
}
