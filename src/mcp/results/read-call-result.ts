import { defined } from '../../tool/defined.ts'
import { firstIssue, type JsonObject, type JsonValue, type ToolIssue } from '../../tool/json-value.ts'
import { ToolResponse } from '../../tool/tool-response.ts'
import { exceeds, type JsonLimits } from '../definitions/json-limits.ts'
import { cappedText } from './capped-text.ts'
import { checkStructured } from './check-structured.ts'
import { wellFormed } from './literal-line.ts'
import { readContent } from './read-content.ts'
import { readMeta } from './read-meta.ts'
import { type ResultTexts, resultTextsEn } from './result-texts.ts'
import { structuredText } from './structured-text.ts'

/** How the result of a call is read. */
export interface CallResultOptions {
  /** The name that the model knows the tool by. */
  readonly toolName: string
  /** JSON Schema of the structured data, one that was found usable. */
  readonly outputSchema?: JsonObject | undefined
  /** The longest text that a model is given, in characters. @default 50_000 */
  readonly maxResultChars?: number
  /** @default English */
  readonly texts?: ResultTexts
}

/** What a result's `metadata` holds; each only when there is something. */
export interface CallResultMetadata {
  /** The server's own, as it came. */
  readonly _meta?: JsonObject
  /** The server's `_meta` is left out: it is larger than 64 KiB, or nested deeper than 32 levels. */
  readonly metaLeftOut?: true
  /** What in `data` is not as the tool's `outputSchema` says. */
  readonly outputIssues?: readonly ToolIssue[]
  /** How many characters of the text were cut off. */
  readonly cutChars?: number
}

/** The depth is the one at which the library copies data. */
const dataLimits: JsonLimits = { maxBytes: 10 * 1024 * 1024, maxDepth: 100, maxNodes: 200_000 }

/**
 * Makes a response of what an MCP server answered to `tools/call`. A result that says `isError` becomes an error
 * response in the server's own words, whatever else is wrong with it: a model that never reads the cause cannot mend
 * it. Structured data becomes `data`; where it does not fit the `outputSchema`, a line says so and it is kept all the
 * same. What is larger than 10 MiB or nested deeper than 100 levels is left out, and a line says so. Never throws, and its text is never longer than `maxResultChars`.
 */
export function readCallResult(raw: JsonObject, options: CallResultOptions): ToolResponse {
  const { toolName, maxResultChars = 50_000, texts = resultTextsEn } = options
  const failed = raw.isError === true
  const { data, notes, issues } = readData(raw, options)
  const { lines, parts, hasText } = readContent(contentOf(raw, texts), texts)
  const said = [...lines, ...(hasText || data === undefined ? [] : [wellFormed(structuredText(data, texts))])]
  const whole = said.join('\n')
  const nothing = failed ? texts.failed(toolName) : notes.length > 0 ? '' : texts.noOutput
  const note = notes.map((line) => `\n${wellFormed(line)}`).join('')
  const { text, cutChars } = cappedText(whole.trim() === '' ? nothing : whole, note, maxResultChars, texts)
  const metadata = given({
    ...readMeta(raw._meta),
    outputIssues: issues.length > 0 ? issues : undefined,
    cutChars,
  } satisfies Record<keyof CallResultMetadata, unknown>)
  const status = failed ? 'error' : cutChars === undefined ? 'ok' : 'partial'
  return ToolResponse[status](text, defined({ data, parts: parts.length > 0 ? parts : undefined, metadata }))
}

/** The structured data of a result, and what the model is told of it. */
function readData(
  { structuredContent, isError }: JsonObject,
  { outputSchema, texts = resultTextsEn }: CallResultOptions,
): { readonly data?: JsonValue; readonly notes: readonly string[]; readonly issues: readonly ToolIssue[] } {
  const isChecked = outputSchema !== undefined && isError !== true
  if (structuredContent === undefined || structuredContent === null) {
    return { notes: isChecked ? [texts.noStructuredData] : [], issues: [] }
  }
  if (exceeds(structuredContent, dataLimits) !== undefined) {
    return { notes: [texts.structuredDataLeftOut], issues: [] }
  }
  const issues = isChecked ? checkStructured(structuredContent, outputSchema) : []
  const notes = issues.length > 0 ? [texts.mismatch(firstIssue(issues))] : []
  return { data: structuredContent, notes, issues }
}

// `toolResult` is where servers of 2024-10-07 put it.
function contentOf({ content, toolResult }: JsonObject, texts: ResultTexts): unknown {
  if (content !== undefined || toolResult === undefined) return content
  return typeof toolResult === 'string' ? toolResult : structuredText(toolResult, texts)
}

/** The members that are there, or undefined when none is. */
function given(members: Record<string, unknown>): JsonObject | undefined {
  const there = defined(members)
  return Object.keys(there).length > 0 ? (there as JsonObject) : undefined
}
