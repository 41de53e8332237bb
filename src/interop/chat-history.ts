import type {
  AssistantPart,
  FilePart,
  Message,
  MessageCall,
  MessageResult,
  UserMessage,
} from '../agent/message.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { ChatMessage } from './chat-types.ts'

type Part = Record<string, unknown>

/** What a person says, as the agent takes it. */
export function userMessage({ parts }: ChatMessage): UserMessage {
  const all = parts as readonly Part[]
  const text = all.flatMap((part) => (part.type === 'text' ? [String(part.text)] : [])).join('\n')
  const files = all.flatMap((part) => (part.type === 'file' ? [filePart(part)] : []))
  return { role: 'user', text, ...(files.length > 0 && { parts: files }) }
}

function filePart({ mediaType, url, filename }: Part): FilePart {
  const type = String(mediaType).startsWith('image/') ? 'image' : 'file'
  const name = typeof filename === 'string' ? { name: filename } : {}
  return { type, mediaType: String(mediaType), data: String(url), ...name }
}

/**
 * A conversation of which only the user interface is left: what the app has stored. Nothing in it says how far the
 * results of tools are to be trusted, so that the agent takes them for what their tools may give at worst.
 */
export function historyOf(messages: readonly ChatMessage[]): Message[] {
  return messages.flatMap((message): Message[] => {
    if (message.role === 'user') return [userMessage(message)]
    return message.role === 'assistant' ? stepsOf(message.parts as readonly Part[]).flatMap(stepMessages) : []
  })
}

function stepsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const steps: Part[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps.filter((step) => step.length > 0)
}

function stepMessages(step: readonly Part[]): Message[] {
  const texts = step.flatMap((part) => (part.type === 'text' ? [String(part.text)] : []))
  const tools = step.flatMap((part) => toolPart(part) ?? [])
  const calls = tools.map(({ call }) => call)
  const parts = step.flatMap((part): AssistantPart[] => {
    if (part.type === 'text' || part.type === 'reasoning')
      return [{ type: part.type, text: String(part.text) }]
    const tool = toolPart(part)
    return tool === undefined ? [] : [{ type: 'call', callId: tool.call.id }]
  })
  const said: Message = { role: 'assistant', text: texts.join(''), parts, ...(calls.length > 0 && { calls }) }
  return calls.length === 0 ? [said] : [said, { role: 'tool', results: tools.map(({ result }) => result) }]
}

/** A tool of a message of the user interface. */
export interface ShownTool {
  readonly call: MessageCall
  readonly result: MessageResult
}

function toolPart(part: Part): ShownTool | undefined {
  const name = toolName(part)
  if (name === undefined) return undefined
  const id = String(part.toolCallId)
  const input = (isRecord(part.input) ? part.input : {}) as JsonObject
  return { call: { id, name, input }, result: { callId: id, name, ...endOf(part) } }
}

/** The name of the tool that a part is about; undefined for other parts. */
export function toolName({ type, toolName: dynamic }: Part): string | undefined {
  if (type === 'dynamic-tool') return String(dynamic)
  return typeof type === 'string' && type.startsWith('tool-') ? type.slice('tool-'.length) : undefined
}

function endOf({ state, output, errorText, preliminary }: Part): Pick<MessageResult, 'text' | 'outcome'> {
  if (state === 'output-available' && preliminary !== true) {
    const text = Object(output).text ?? JSON.stringify(output)
    return { outcome: 'success', text: String(text) }
  }
  if (state === 'output-error') return { outcome: 'error', text: String(errorText) }
  if (state === 'output-denied') return { outcome: 'denied', text: 'The user said no.' }
  return { outcome: 'interrupted', text: 'The page was closed before the call was over.' }
}
