import type { ModelEvent, ModelRequest } from '../agent/model-adapter.ts'
import type { OpenAICompatibleOptions } from './openai-compatible.ts'
import { wireJson, wireMessages, wireTools } from './openai-request.ts'
import { type ToolDialect, toolWires } from './tool-wire.ts'

/** A request as it is sent, and the way back from the wire. */
export interface WrittenRequest {
  readonly body: string
  /** The same with the tools that are closed, and the order to call none. */
  closedBody(): string
  /** What the model says, with the names and keys of the tools. */
  read(event: ModelEvent): ModelEvent
}

/** Writes the requests of one adapter. */
export function openaiRequests(options: OpenAICompatibleOptions): (request: ModelRequest) => WrittenRequest {
  const { strict = false, schemaTexts: texts, onSetAside, baseURL } = options
  const writeTools = toolWires({
    ...{ dialect: dialectOf(options), strict, texts, onSetAside },
    maxDescriptionChars: maxDescriptionOf(baseURL),
  })
  return (request) => {
    const isOpen = request.tools.length > 0
    const wire = writeTools(isOpen ? request.tools : (request.closedTools ?? request.tools))
    // Servers refuse an empty list.
    const tools = wire.tools.length === 0 ? {} : { tools: wireTools(wire.tools, strict) }
    const written = (more: object) =>
      wireJson({ ...fields(options), messages: wireMessages(request, wireOptions(options, wire)), ...more })
    return {
      body: written(isOpen ? tools : {}),
      closedBody: () => written({ ...tools, ...('tools' in tools && { tool_choice: 'none' }) }),
      read: wire.read,
    }
  }
}

/** All of a request but its messages and tools. */
function fields({ model, body, includeUsage = true }: OpenAICompatibleOptions): object {
  const isStream = body?.stream !== false
  return {
    stream: true,
    ...(isStream && includeUsage ? { stream_options: { include_usage: true } } : {}),
    ...body,
    model,
  }
}

function wireOptions(
  { model, capabilities, shortCallIds, baseURL }: OpenAICompatibleOptions,
  wire: ReturnType<ReturnType<typeof toolWires>>,
): Parameters<typeof wireMessages>[1] {
  const isMistral = /^https:\/\/[\w.-]*mistral\.ai\b/.test(baseURL)
  return { model, capabilities, wire, shortCallIds: shortCallIds ?? isMistral }
}

function dialectOf({ dialect, baseURL }: OpenAICompatibleOptions): ToolDialect {
  if (dialect !== undefined) return dialect
  if (/^https:\/\/generativelanguage\.googleapis\.com\b/.test(baseURL)) return 'gemini'
  return /^https:\/\/api\.anthropic\.com\b/.test(baseURL) ? 'anthropic' : 'openai'
}

// OpenAI's own rule; other servers that speak its protocol have none.
function maxDescriptionOf(baseURL: string): number | undefined {
  return /^https:\/\/[\w.-]*\bopenai\.(azure\.)?com\b/.test(baseURL) ? 1024 : undefined
}
