import type { AssistantMessage, FilePart, Message, ToolMessage, UserMessage } from '../agent/message.ts'
import type { ModelRequest } from '../agent/model-adapter.ts'
import type { WireTool } from '../schema-dialects/projection.ts'
import { CallIds } from './call-ids.ts'
import type { ToolWire } from './tool-wire.ts'
import { fileLine, isFilePart, takes, wireFile } from './wire-file.ts'
import { callFields, reasoningField } from './wire-metadata.ts'

type Wire = Record<string, unknown>

/** What the messages are written for. */
export interface WireOptions {
  readonly model: string
  readonly capabilities: readonly string[] | undefined
  readonly shortCallIds: boolean
  readonly wire: ToolWire
}

/** The messages of a chat completion. */
export function wireMessages(
  { instructions, messages }: ModelRequest,
  options: WireOptions,
): readonly Wire[] {
  const writer = new MessageWriter(options)
  if (instructions) writer.wire.push({ role: 'system', content: instructions })
  for (const message of messages) writer.write(message)
  return writer.wire
}

/** The tools of a chat completion; of each is said whether it is strict where that was asked for. */
export function wireTools(tools: readonly WireTool[], strict = false): readonly Wire[] {
  return tools.map(({ name, description, schema, isStrict }) => ({
    type: 'function',
    function: { name, description, parameters: schema, ...(strict && { strict: isStrict }) },
  }))
}

/**
 * JSON text that is well-formed Unicode: strict servers refuse half of a surrogate pair, and would refuse it with
 * every later request. `JSON.stringify` writes those, and no others, as escapes.
 */
export function wireJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\\ud')) return json
  return json.replace(/\\(?:\\|ud[89a-f][\da-f]{2})/g, (found) => (found === '\\\\' ? found : '\\ufffd'))
}

class MessageWriter {
  readonly wire: Wire[] = []
  readonly #options: WireOptions
  readonly #ids: CallIds

  constructor(options: WireOptions) {
    this.#options = options
    this.#ids = new CallIds(options.shortCallIds)
  }

  write(message: Message): void {
    if (message.role === 'user') this.#user(message)
    else if (message.role === 'assistant') this.#assistant(message)
    else this.#results(message)
  }

  #user({ text, parts = [] }: UserMessage): void {
    const content = [
      ...(text === '' && parts.length > 0 ? [] : [{ type: 'text', text }]),
      ...parts.map((part) => this.#shown(part) ?? { type: 'text', text: fileLine(part) }),
    ]
    this.#say(content)
  }

  // Many chat templates want the roles to take turns.
  #say(content: readonly Wire[]): void {
    const before = this.wire.at(-1)
    const all = before?.role === 'user' ? [...partsOf(before.content), ...content] : content
    if (before?.role === 'user') this.wire.pop()
    const texts = all.map(({ text }) => text)
    const isText = texts.every((text) => typeof text === 'string')
    this.wire.push({ role: 'user', content: isText ? texts.join('\n\n') : all })
  }

  /** A part that a person gave: sent unless the model is known not to take it. */
  #shown(part: FilePart): Wire | undefined {
    const { capabilities = ['images'] } = this.#options
    return takes(part, capabilities) ? wireFile(part) : undefined
  }

  #assistant({ text, calls = [], parts = [] }: AssistantMessage): void {
    const lines = parts.filter(isFilePart).map(fileLine)
    const said = [text, ...lines].filter((line) => line !== '').join('\n\n')
    const reasoning = this.#reasoning(parts)
    // A model that said nothing left no message.
    if (said === '' && calls.length === 0) return
    const message: Wire = { role: 'assistant', content: said === '' ? null : said, ...reasoning }
    if (calls.length > 0) message.tool_calls = calls.map((call) => this.#call(call, parts))
    this.wire.push(message)
  }

  #reasoning(parts: NonNullable<AssistantMessage['parts']>): Wire {
    const fields: Record<string, string> = {}
    for (const part of parts) {
      if (part.type !== 'reasoning') continue
      const field = reasoningField(part.providerMetadata, this.#options.model)
      if (field !== undefined) fields[field] = (fields[field] ?? '') + part.text
    }
    return fields
  }

  #call(
    { id, providerId, name, input }: NonNullable<AssistantMessage['calls']>[number],
    parts: NonNullable<AssistantMessage['parts']>,
  ): Wire {
    const { wire } = this.#options
    const part = parts.find((one) => one.type === 'call' && one.callId === id)
    return {
      ...callFields(part?.providerMetadata, this.#options.model),
      id: this.#ids.open(id, providerId),
      type: 'function',
      function: { name: wire.wireName(name), arguments: wireJson(wire.wireInput(name, input)) },
    }
  }

  /** The results one behind the other; files that tool messages cannot carry come after all of them. */
  #results({ results }: ToolMessage): void {
    const files: Wire[] = []
    for (const { callId, text, parts = [] } of results) {
      const lines = parts.map(fileLine)
      const content = [text, ...lines].filter((line) => line !== '').join('\n')
      this.wire.push({ role: 'tool', tool_call_id: this.#ids.of(callId), content })
      for (const [index, part] of parts.entries()) {
        if (!takes(part, this.#options.capabilities ?? [])) continue
        files.push({ type: 'text', text: lines[index] }, wireFile(part))
      }
    }
    if (files.length > 0) this.#say(files)
  }
}

function partsOf(content: unknown): readonly Wire[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: content }]
}
