import type { JsonObject } from '../../tool/json-value.ts'
import { isRecord } from '../../tool/value-kinds.ts'

/** A JSON-RPC message of a server, as far as it can be used. */
export type WireMessage =
  | { readonly kind: 'result'; readonly id: WireId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: WireId | undefined; readonly error: WireError }
  | { readonly kind: 'request'; readonly id: WireId; readonly method: string; readonly params?: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params?: JsonObject }
  /** Anything else: what was meant is not known. */
  | { readonly kind: 'foreign'; readonly text: string; readonly isError: boolean }

export type WireId = string | number

export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The messages in a text: one, or a batch, which servers before 2025-06-18 may send. */
export function readMessages(text: string): readonly WireMessage[] {
  const value = parse(text)
  return Array.isArray(value) ? value.map(readMessage) : [readMessage(value ?? text)]
}

function readMessage(value: unknown): WireMessage {
  if (!isRecord(value) || value.jsonrpc !== '2.0') return foreign(value)
  const { method, params } = value
  const id = idOf(value.id)
  if (typeof method === 'string') {
    const named = { method, ...(isRecord(params) ? { params: params as JsonObject } : {}) }
    return id === undefined ? { kind: 'notification', ...named } : { kind: 'request', id, ...named }
  }
  if ('error' in value) return { kind: 'error', id, error: readError(value.error) }
  return id !== undefined && 'result' in value ? { kind: 'result', id, result: value.result } : foreign(value)
}

function readError(value: unknown): WireError {
  const { code, message, data } = isRecord(value) ? value : { message: value }
  return {
    code: Number.isInteger(code) ? (code as number) : unknownError,
    message: typeof message === 'string' ? message : (JSON.stringify(message ?? value) ?? 'no message'),
    ...(data === undefined ? {} : { data }),
  }
}

/** JSON-RPC 2.0 §5.1: an error of the server that has no code of its own. */
const unknownError = -32000

function foreign(value: unknown): WireMessage {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return { kind: 'foreign', text: excerpt(text), isError: isRecord(value) && 'error' in value }
}

function idOf(id: unknown): WireId | undefined {
  return typeof id === 'string' || Number.isInteger(id) ? (id as WireId) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an error shows of what a server said, in characters. */
const maxExcerptChars = 200

/** The beginning of a text, on one line. */
export function excerpt(text: string, maxChars: number = maxExcerptChars): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line
}
