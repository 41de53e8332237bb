import { defined } from '../tool/defined.ts'
import { shorten } from '../tool/error-data.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { TaintSource } from '../tool/taint-source.ts'
import type { ToolOrigin } from '../tool/tool-origin.ts'
import type { ToolCall } from '../tool/tool-result.ts'
import { cleanContent } from './clean-content.ts'

const maxAboutChars = 200
const unseen = /[\s\p{Cc}\p{Cf}]/u

/** The source that a call's result is. */
export function sourceOfResult(
  { call, executedInput }: { readonly call: ToolCall; readonly executedInput?: JsonObject },
  origin: ToolOrigin | undefined,
  step?: number,
): TaintSource {
  const { id, name } = call
  const about = aboutOf(executedInput ?? call.input)
  return defined({ kind: 'result' as const, origin, toolName: name, callId: id, step, about })
}

/** What a call is about: the first address in its input, or else the longest text. */
function aboutOf(input: JsonObject): string | undefined {
  const texts = Object.values(input).filter((value) => typeof value === 'string' && value !== '') as string[]
  const address = texts.find((value) => URL.canParse(value) && value.includes('//'))
  // It stands in a question to a person, among the words of the library.
  const said =
    address !== undefined && unseen.test(address) ? new URL(address).href : (address ?? longest(texts))
  const text = said && cleanContent(said).text.replaceAll('"', '”').replace(/\s+/g, ' ')
  return text && shorten(text, maxAboutChars)
}

function longest(texts: readonly string[]): string | undefined {
  return texts.toSorted((one, other) => other.length - one.length)[0]
}
