import { ToolError } from './errors.ts'
import type { ToolIssue } from './json-value.ts'

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

/** Turns anything that can be thrown into data. Stacks are left out: they name the app's files. */
export function errorToData(thrown: unknown): ErrorData {
  if (!isErrorLike(thrown)) return { name: 'Error', message: shorten(describeThrown(thrown)) }
  const { code, retryable, issues } = thrown as { code?: unknown; retryable?: unknown; issues?: unknown }
  const readable = readIssues(issues)
  return {
    name:
      typeof thrown.name === 'string' && thrown.name !== '' ? shorten(thrown.name, maxNameChars) : 'Error',
    message: shorten(textOf(thrown.message)),
    ...(typeof code === 'string' || typeof code === 'number'
      ? { code: shorten(String(code), maxNameChars) }
      : {}),
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
    ...(readable.length > 0 ? { issues: readable } : {}),
  }
}

/** The inverse of {@link errorToData}: a {@link ToolError} with the same name, message, code and issues. */
export function dataToError(data: ErrorData): ToolError {
  return new ToolError(data.message, {
    name: data.name,
    code: data.code ?? 'tool-threw',
    retryable: data.retryable ?? false,
    ...(data.issues === undefined ? {} : { issues: data.issues }),
  })
}

function isErrorLike(thrown: unknown): thrown is { name?: unknown; message: unknown } {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  if (typeof thrown === 'function' || (typeof thrown === 'object' && thrown !== null)) {
    return `${typeof thrown === 'object' ? 'an object' : 'a function'} was thrown that is not an Error`
  }
  return `${String(thrown)} was thrown`
}

// Valibot issues hold `path` as a list of items with a `key`; ours hold a dotted string.
function readIssues(issues: unknown): ToolIssue[] {
  if (!Array.isArray(issues)) return []
  return issues.slice(0, 10).flatMap((issue: unknown) => {
    if (typeof issue !== 'object' || issue === null || !('message' in issue)) return []
    const path = 'path' in issue ? issue.path : undefined
    return [{ path: issuePath(path), message: shorten(textOf(issue.message)) }]
  })
}

/** A Standard Schema path (keys, or objects with a `key`) as a dotted string. */
export function issuePath(path: unknown): string {
  if (typeof path === 'string') return path
  if (!Array.isArray(path)) return ''
  return path
    .map((item: unknown) => (typeof item === 'object' && item !== null && 'key' in item ? item.key : item))
    .map(String)
    .join('.')
}

// An object without a prototype has no string form, and asking for it throws.
function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? describeThrown(value) : String(value)
}

function shorten(text: string, maxChars: number = maxMessageChars): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…`
}
