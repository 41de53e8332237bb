import { errorToData } from '../tool/error-data.ts'
import { copyJson, deepFreeze, isRecord, type JsonObject } from '../tool/json-value.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { failure } from './settle.ts'
import type { Settlement } from './tool-result.ts'

/** The input as an object, or why there is none. */
export type Ingested = { readonly input: JsonObject } | Settlement

/**
 * Reads raw arguments: an object, or JSON text that holds exactly one object. Nothing is guessed and
 * nothing is evaluated. What comes out is a copy without keys that reach a prototype, so that nobody after
 * this, middleware included, can be misled by one or change the caller's object.
 */
export function ingest(name: string, raw: unknown, texts: ModelTexts): Ingested {
  try {
    return read(name, raw, texts)
  } catch (error) {
    // Looking at a value can run code of its own: a getter, toJSON, a Proxy.
    const issue = { path: '', message: `cannot be read (${errorToData(error).message})` }
    return failure('invalid', 'invalid-input', texts.invalidInput(name, [issue]), [issue])
  }
}

function read(name: string, raw: unknown, texts: ModelTexts): Ingested {
  let value = raw
  if (typeof raw === 'string') {
    try {
      value = JSON.parse(raw)
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 200) : String(error)
      return failure('invalid', 'invalid-input', texts.notJson(name, reason))
    }
  }
  if (!isRecord(value)) return failure('invalid', 'invalid-input', texts.notAnObject(name))
  const copied = copyJson(value)
  if (copied.issues === undefined) return { input: deepFreeze(copied.value as JsonObject) }
  return failure('invalid', 'invalid-input', texts.invalidInput(name, copied.issues), copied.issues)
}
