import type { ArgumentRepair } from '../tool/arguments/argument-repair.ts'
import {
  type ArgumentTarget,
  type ReadArguments,
  readArguments,
  type UnreadArguments,
} from '../tool/arguments/read-arguments.ts'
import { errorToData } from '../tool/error-data.ts'
import { freezeJson, type JsonObject } from '../tool/json-value.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { type MaybePromise, whenDone } from '../tool/when-done.ts'
import { failure, invalid } from './settle.ts'

/** The input as an object, or why there is none. */
export interface Ingested {
  /** Frozen. Beside an ending: what was sent, as far as it can be told, for the history. */
  readonly input: JsonObject
  /** What was repaired, the name included. */
  readonly repaired: readonly ArgumentRepair[]
  readonly settlement?: Settlement
}

/**
 * Reads raw arguments, see {@link readArguments}. What comes out is a copy without keys that reach a prototype, so
 * that nobody after this, middleware included, can be misled by one or change the caller's object.
 *
 * @param name - The tool's name as the model wrote it.
 * @param tool - Absent when the call does not run whatever it says: then no argument is repaired.
 */
export function ingest(
  name: string,
  raw: unknown,
  tool: ToolDefinition | undefined,
  texts: ModelTexts,
): MaybePromise<Ingested> {
  const known = tool?.name ?? name
  const target = tool && { names: [known, name], inputSchema: tool.inputSchema }
  return whenDone(readSafely(raw, target), (read) => {
    const input = freezeJson(('input' in read && read.input) || {})
    const isRenamed = known !== name
    if ('repaired' in read) return { input, repaired: isRenamed ? ['name', ...read.repaired] : read.repaired }
    return { input, repaired: isRenamed ? ['name'] : [], settlement: settle(known, read, texts) }
  })
}

function readSafely(raw: unknown, target: ArgumentTarget | undefined): MaybePromise<ReadArguments> {
  try {
    return readArguments(raw, target)
  } catch (error) {
    // Looking at a value can run code of its own: a getter, toJSON, a Proxy.
    return { issues: [{ path: '', message: `cannot be read (${errorToData(error).message})` }] }
  }
}

function settle(name: string, read: UnreadArguments, texts: ModelTexts): Settlement {
  if ('issues' in read) return invalid(name, read.issues, texts)
  const { fault } = read
  const text = fault === 'not-an-object' ? texts.notAnObject(name) : texts.notJson(name, fault)
  return failure('invalid', text, 'invalid-input')
}
