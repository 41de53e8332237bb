import { copyJson, type JsonObject, type ToolIssue } from '../json-value.ts'
import { latePart } from '../late-part.ts'
import { isRecord } from '../value-kinds.ts'
import { type MaybePromise, whenDone } from '../when-done.ts'
import type { ArgumentRepair } from './argument-repair.ts'
import { isPlain } from './is-plain.ts'
import type { JsonFault } from './scan-json.ts'

/** The tool that arguments are for. */
export interface ArgumentTarget {
  /** The tool's name, and the one that the model wrote if that is another. */
  readonly names: readonly string[]
  readonly inputSchema: JsonObject
}

/** Raw arguments as an object, or what is wrong with them. */
export type ReadArguments =
  | { readonly input: JsonObject; readonly repaired: readonly ArgumentRepair[] }
  | UnreadArguments

/** Why there is no object that could run. */
export type UnreadArguments =
  /** The text is not the JSON of one object, or there is something else than an object. */
  | { readonly fault: JsonFault | 'not-an-object' }
  /** `input` is what was sent, for the history, where it can be told. */
  | { readonly issues: readonly ToolIssue[]; readonly input?: JsonObject }

/**
 * Reads raw arguments as models really send them. What comes out is a copy without keys that reach a prototype.
 * Nothing is evaluated, and what is repaired is said: a guess never runs.
 *
 * @throws What looking at the value throws; rejects when the rules cannot be fetched.
 * @param raw - An object, JSON text that holds one, or what a provider sends for no arguments.
 * @param target - Without it nothing is repaired: for what was cut off, or will not run anyway.
 */
export function readArguments(raw: unknown, target: ArgumentTarget | undefined): MaybePromise<ReadArguments> {
  const value = typeof raw === 'string' ? parsePlain(raw) : raw
  if (!isRecord(value)) return target ? readClosely(raw, target) : { fault: 'not-an-object' }
  const copied = copyJson(value)
  if (copied.issues !== undefined) return copied
  const input = copied.value as JsonObject
  const isFine = !target || (isPlain(target.inputSchema, input) && !('arguments' in input))
  return isFine ? { input, repaired: [] } : readClosely(input, target)
}

// Most arguments are fine: what looks at the others is fetched for the first of them.
const repairs = latePart(async () => {
  const { repairArguments } = await import('./repair-arguments.ts')
  return { repairArguments }
})

function readClosely(raw: unknown, target: ArgumentTarget): MaybePromise<ReadArguments> {
  return whenDone(repairs(), ({ repairArguments }) => repairArguments(raw, target))
}

/** The value of a JSON text; none if it holds what may be an integer beyond 2^53. */
function parsePlain(text: string): unknown {
  if (/\d{16}/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
