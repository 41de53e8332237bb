import { checkOptions } from './check-options.ts'
import type { JsonObject } from './json-value.ts'
import { hasMethods, isObject, isRecord, tagOf } from './value-kinds.ts'

/** An image or a file that a result carries beside its text. */
export interface ResponsePart {
  readonly type: 'image' | 'file'
  /** For example `image/png`. */
  readonly mediaType: string
  /** The bytes, or an address where they can be had. */
  readonly data: Uint8Array | ArrayBuffer | Blob | string
  /** A name to show. */
  readonly name?: string
  /** Size in bytes. */
  readonly size?: number
  /** It is not sent to a model: what one should know of it is in the text. @default false */
  readonly appOnly?: boolean
}

/** What a response holds beside its text. */
export interface ToolResponseExtras {
  /** For the app; the model never reads it. */
  readonly data?: unknown
  /** Images and files. */
  readonly parts?: readonly ResponsePart[]
  /** For the app; never sent to a model. */
  readonly metadata?: JsonObject
}

/** How a tool ended, in the tool's own words. */
export type ResponseStatus = 'success' | 'partial' | 'error'

/**
 * What a tool returns. The model reads `text`; `data`, `parts` and `metadata` are for the app. It is plain
 * data, so that it crosses threads and JSON unchanged.
 *
 * @example ToolResponse.ok('3 rows', { data: rows })
 */
export interface ToolResponse extends ToolResponseExtras {
  readonly text: string
  readonly status: ResponseStatus
}

/**
 * Makes responses: `ok`, `partial` (the answer is not complete, and the text says so) and `error`.
 *
 * @throws {@link ToolRegistrationError} when the second argument is anything but `{ data, parts, metadata }`.
 */
export const ToolResponse: {
  ok(text: string, extras?: ToolResponseExtras): ToolResponse
  partial(text: string, extras?: ToolResponseExtras): ToolResponse
  error(text: string, extras?: ToolResponseExtras): ToolResponse
} = {
  ok: (text, extras) => make('success', text, extras),
  partial: (text, extras) => make('partial', text, extras),
  error: (text, extras) => make('error', text, extras),
}

const extraKeys = ['data', 'parts', 'metadata']
const responseKeys = ['text', 'status', ...extraKeys]
const statuses: readonly unknown[] = ['success', 'partial', 'error']

function make(status: ResponseStatus, given: unknown, extras?: ToolResponseExtras): ToolResponse {
  // JavaScript passes errors and numbers here; without a text it would not be a response at all.
  const text = typeof given === 'string' ? given : valueText(given)
  if (extras === undefined) return { text, status }
  checkOptions(extras, extraKeys, 'ToolResponse, second argument')
  return { ...extras, text, status }
}

// By shape and not by class: two bundles may hold two copies of the library. Any further key makes it data.
function isResponse(value: unknown): value is ToolResponse {
  return (
    isRecord(value) &&
    typeof value.text === 'string' &&
    statuses.includes(value.status) &&
    Object.keys(value).every((key) => responseKeys.includes(key))
  )
}

/** A response, and whether the tool gave back nothing (its text is then the executor's to choose). */
export interface ReadResponse {
  readonly response: ToolResponse
  readonly empty?: boolean
}

/**
 * Turns what `execute` returned into a response: a `ToolResponse` as it is, a string as text, `undefined`
 * and `null` as empty, binary data as a one-line summary, everything else as JSON text plus `data`.
 * Falsy values are results: `0`, `false`, `''` and `[]` keep their meaning.
 */
export function toResponse(value: unknown): ReadResponse {
  if (value === undefined || value === null) return { response: ToolResponse.ok(''), empty: true }
  if (typeof value === 'string') return { response: ToolResponse.ok(value) }
  return { response: isResponse(value) ? value : ToolResponse.ok(valueText(value), { data: value }) }
}

function valueText(value: unknown): string {
  // As JSON, NaN would read "null".
  if (typeof value === 'number' || value === undefined) return String(value)
  const whole = shown(value)
  if (typeof whole === 'string') return whole
  // Undefined for functions and symbols; throws for cycles.
  try {
    return JSON.stringify(value, (_key, member: unknown) => shown(member)) ?? `[${tagOf(value)}]`
  } catch {
    return `[${tagOf(value)} that JSON cannot show]`
  }
}

/** Longer lists are not written out: the text would take a worker seconds, and no model could read it. */
const maxShownItems = 1_000_000

/** What JSON.stringify is given in place of a value that it would show as something else. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (!isObject(value)) return value
  const tag = tagOf(value)
  // A Date or a URL says itself how JSON shows it.
  if (tag === 'Object' || hasMethods(value, 'toJSON')) return value
  if (Array.isArray(value)) {
    return value.length > maxShownItems ? `[Array, ${value.length} items]` : value
  }
  if (value instanceof Map || value instanceof Set) return Array.from(value)
  if (value instanceof Error) return `${value.name}: ${value.message}`
  // Written out as JSON, bytes become one key per byte and can exhaust the memory of a worker.
  const { byteLength: bytes = value instanceof Blob ? value.size : undefined } = value as Partial<ArrayBuffer>
  // A Promise, a Response, a DOM node: as JSON an empty object, as if nothing were there.
  return `[${tag}${bytes === undefined ? '' : `, ${bytes} bytes`}]`
}
