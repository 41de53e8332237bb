import { errorToData } from '../tool/error-data.ts'
import { copyJson, deepFreeze, isRecord, type JsonObject } from '../tool/json-value.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { failure, invalid } from './settle.ts'

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
    return invalid(name, [{ path: '', message: `cannot be read (${errorToData(error).message})` }], texts)
  }
}

function read(name: string, raw: unknown, texts: ModelTexts): Ingested {
  let value = raw
  if (typeof raw === 'string') {
    try {
      value = JSON.parse(raw)
    } catch (error) {
      return failure(
        'invalid',
        texts.notJson(name, errorToData(error).message.slice(0, 200)),
        'invalid-input',
      )
    }
  }
  if (!isRecord(value)) return failure('invalid', texts.notAnObject(name), 'invalid-input')
  const copied = copyJson(value)
  if (copied.issues !== undefined) return invalid(name, copied.issues, texts)
  return { input: deepFreeze(copied.value as JsonObject) }
}
