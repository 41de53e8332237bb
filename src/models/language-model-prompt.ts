import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  MessageResult,
  ProviderMetadata,
  ToolMessage,
  UserMessage,
} from '../agent/message.ts'
import type { ModelRequest } from '../agent/model-adapter.ts'
import { CallIds } from './call-ids.ts'
import { type FileData, fileData, filePart, resultPart } from './language-model-files.ts'
import type { ProviderTraits } from './language-model-traits.ts'
import type { AnyLanguageModel, PromptMessage, PromptPart, SupportedUrls } from './language-model-types.ts'
import type { ToolWire } from './tool-wire.ts'
import { fileLine, takes } from './wire-file.ts'

/** Whom a prompt is written for. */
export interface PromptReader {
  readonly model: AnyLanguageModel
  readonly traits: ProviderTraits
  readonly fetched: SupportedUrls
  readonly capabilities: readonly string[] | undefined
  readonly wire: ToolWire
}

/** Outcomes whose text is not an error. */
const fineOutcomes: readonly string[] = ['success', 'partial', 'deferred']

/** Writes a conversation as the specification has it. Metadata of the provider goes back where it came from. */
export function writePrompt({ instructions, messages }: ModelRequest, reader: PromptReader): PromptMessage[] {
  const writer = new PromptWriter(reader)
  if (instructions) writer.prompt.push({ role: 'system', content: instructions })
  for (const message of messages) {
    if (message.role === 'user') writer.user(message)
    else if (message.role === 'assistant') writer.assistant(message)
    else writer.results(message)
  }
  return writer.prompt
}

class PromptWriter {
  readonly prompt: PromptMessage[] = []
  readonly #reader: PromptReader
  readonly #ids: CallIds
  /** What came with the calls so far: providers want some of it with their results too. */
  readonly #metadata = new Map<string, ProviderMetadata | undefined>()

  constructor(reader: PromptReader) {
    this.#reader = reader
    this.#ids = new CallIds(reader.traits.isMistral)
  }

  user({ text, parts = [] }: UserMessage): void {
    const files = parts.map((file) => this.#file(file, this.#known(file)))
    this.#say(text === '' && files.length > 0 ? files : [textPart(text), ...files])
  }

  assistant({ text, calls = [], parts }: AssistantMessage): void {
    const byId = new Map(calls.map((call) => [call.id, call]))
    const plain = (): AssistantPart[] => [
      { type: 'text', text },
      ...calls.map(({ id }) => ({ type: 'call' as const, callId: id })),
    ]
    const content = (parts ?? plain()).flatMap((part) => {
      const { providerMetadata: providerOptions } = part
      switch (part.type) {
        case 'text':
        case 'reasoning': {
          const { type, text } = part
          return text === '' && providerOptions === undefined ? [] : { type, text, providerOptions }
        }
        case 'call': {
          const call = byId.get(part.callId)
          if (call === undefined) return []
          const { id, providerId = '', name, input } = call
          this.#metadata.set(id, providerOptions)
          const ownId = this.#reader.traits.callId.test(providerId) ? providerId : undefined
          const toolCallId = this.#ids.open(id, ownId)
          const { wire } = this.#reader
          const said = { toolName: wire.wireName(name), input: wire.wireInput(name, input) }
          return { type: 'tool-call', toolCallId, ...said, providerOptions }
        }
        case 'image':
        case 'file':
          return this.#file(part, this.#reader.traits.takesMadeFiles)
        // Of a kind that a later release knew.
        default:
          return []
      }
    })
    // A model that said nothing: providers refuse an empty message.
    if (content.length > 0) this.prompt.push({ role: 'assistant', content })
  }

  results({ results }: ToolMessage): void {
    const after: PromptPart[] = []
    const content = results.map((result) => ({
      type: 'tool-result',
      toolCallId: this.#ids.of(result.callId),
      toolName: this.#reader.wire.wireName(result.name),
      output: this.#output(result, after),
      providerOptions: this.#metadata.get(result.callId),
    }))
    if (content.length > 0) this.prompt.push({ role: 'tool', content })
    if (after.length > 0) this.#say(after)
  }

  // Many chat templates want the roles to take turns; Mistral wants its model to answer the results first (its code
  // 3230, "Unexpected role 'user' after role 'tool'").
  #say(content: readonly PromptPart[]): void {
    const last = this.prompt.at(-1)
    if (last?.role === 'tool' && this.#reader.traits.isMistral) {
      this.prompt.push({ role: 'assistant', content: [textPart('…')] })
    }
    if (last?.role === 'user') this.prompt.pop()
    this.prompt.push({
      role: 'user',
      content: last?.role === 'user' ? [...last.content, ...content] : content,
    })
  }

  /** A file, if the model takes it where it stands, else a line. */
  #file(file: FilePart, isTaken: boolean): PromptPart {
    const data = isTaken ? this.#data(file) : undefined
    return data === undefined ? textPart(fileLine(file)) : filePart(file, data, this.#reader.model)
  }

  #output({ text, outcome, parts = [] }: MessageResult, after: PromptPart[]): object {
    const shown: PromptPart[] = []
    const lines = [text]
    for (const file of parts) {
      const data = this.#known(file) ? this.#data(file) : undefined
      if (data !== undefined && this.#reader.traits.inResults?.test(file.mediaType)) {
        shown.push(resultPart(file, data, this.#reader.model))
        continue
      }
      lines.push(fileLine(file))
      // Only who says what the model can do is believed: to others a person's message of files comes unasked.
      if (data === undefined || this.#reader.capabilities === undefined) continue
      after.push(textPart(fileLine(file)), filePart(file, data, this.#reader.model))
    }
    const value = lines.filter((line) => line !== '').join('\n')
    // Some refuse an empty text, and others a result that is files alone.
    if (shown.length > 0) return { type: 'content', value: [textPart(value || outcome), ...shown] }
    return { type: fineOutcomes.includes(outcome) ? 'text' : 'error-text', value }
  }

  /** Whether the model takes such files, as far as anybody says. */
  #known(file: FilePart): boolean {
    const { capabilities } = this.#reader
    return capabilities === undefined || takes(file, capabilities)
  }

  #data(file: FilePart): FileData | undefined {
    return fileData(file, this.#reader.fetched)
  }
}

function textPart(text: string): PromptPart {
  return { type: 'text', text }
}
