import { defined } from './defined.ts'
import { ToolError } from './errors.ts'
import type { ToolIssue } from './json-value.ts'
import { asList, isObject, isRecord } from './value-kinds.ts'

/** An error as plain data: what is left of a thrown value once it must cross a thread or be stored. */
export interface ErrorData {
  readonly name: string
  readonly message: string
  /** The error's own `code`, if it is a string or a number. */
  readonly code?: string
  readonly retryable?: boolean
  readonly issues?: readonly ToolIssue[]
}

/** Longer texts are cut: they end up in a prompt. In characters. */
const maxMessageChars = 1_000
const maxNameChars = 100

/** More than these are left out. */
const maxIssues = 10

/** Turns anything that can be thrown into data. Stacks are left out: they name the app's files. */
export function errorToData(thrown: unknown): ErrorData {
  if (!hasMessage(thrown)) return { name: 'Error', message: shorten(describeThrown(thrown)) }
  const { name, message, code, retryable, issues } = thrown
  const readable = asList(issues).filter(hasMessage)
  return defined({
    name: shorten((typeof name === 'string' && name) || 'Error', maxNameChars),
    message: shorten(textOf(message)),
    code:
      typeof code === 'string' || typeof code === 'number' ? shorten(String(code), maxNameChars) : undefined,
    retryable: typeof retryable === 'boolean' ? retryable : undefined,
    issues: readable.length > 0 ? readable.slice(0, maxIssues).map(readIssue) : undefined,
  })
}

/** The inverse of {@link errorToData}: a {@link ToolError} with the same name, message, code and issues. */
export function dataToError(data: ErrorData): ToolError {
  return new ToolError(data.message, { code: 'tool-threw', ...data })
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  // An object without a prototype has no string form, and asking for it throws.
  const what = isObject(thrown) ? 'an object' : typeof thrown === 'function' ? 'a function' : String(thrown)
  return `${what} was thrown that is not an Error`
}

function hasMessage(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && 'message' in value
}

/** An issue of any schema library as ours. */
export function readIssue(issue: { readonly path?: unknown; readonly message?: unknown }): ToolIssue {
  return { path: issuePath(issue.path), message: shorten(textOf(issue.message)) }
}

/** A Standard Schema path (keys, or objects with a `key`) as a dotted string; ours is one already. */
function issuePath(path: unknown): string {
  if (typeof path === 'string') return path
  return asList(path)
    .map((item) => String(isRecord(item) ? item.key : item))
    .join('.')
}

function textOf(value: unknown): string {
  return isObject(value) ? describeThrown(value) : String(value)
}

/** A text that is cut where it is too long, but never in the middle of a character. */
export function shorten(text: string, maxChars: number = maxMessageChars): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…`
}
