import { now } from '../tool/clock.ts'
import { fingerprint } from '../tool/fingerprint.ts'
import type { ToolIssue } from '../tool/json-value.ts'
import type { LongResultTexts } from '../tool/result-texts.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { listTool } from '../toolset/listed-tool.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import { markFenced } from './external-content.ts'
import { findPlaces, type ReadRequest, readPiece } from './read-result.ts'
import { readHandle } from './result-handle.ts'
import { readResultName } from './visible-tools.ts'

const maxPatternChars = 200

/** What the tool reads, and how much of it at once. */
export interface ReadResultSetup {
  /** The text that is kept under a handle. Never rejects. */
  read(handle: string): Promise<string | undefined>
  /** Of one response. */
  readonly maxChars: number
  readonly texts: LongResultTexts
}

/**
 * The tool that reads long results. What it reads is trusted, and as private, as the result was. It is made by hand: a
 * page that makes no tools shall not load for it what makes them.
 */
export function readResultSource(setup: ReadResultSetup): ToolSource {
  const { maxChars, texts } = setup
  const definition = definitionFor(maxChars, texts)
  const listing = fingerprint(definition).then((print) =>
    Object.freeze([listTool(definition, print, 'builtin')]),
  )
  return {
    reportsStart: true,
    list: () => listing,
    preflight: (_name, input) => {
      const checked = readRequest(input, texts)
      if ('issues' in checked) return { kind: 'invalid', ...checked }
      const { externalContent = false, reads = 'public' } = readHandle(checked.request.handle) ?? {}
      return {
        kind: 'ready',
        input: { ...checked.request },
        droppedKeys: Object.keys(Object(input)).filter((key) => !Object.hasOwn(parameters, key)),
        needsApproval: false,
        reasons: [],
        labels: { effect: 'none', egress: false, externalContent, reads },
      }
    },
    call: async (_name, input, options) => {
      const checked = readRequest(input, texts)
      if ('issues' in checked) return { kind: 'invalid', ...checked }
      options?.onStart?.({ at: now() })
      return { kind: 'response', response: await read(checked.request, setup) }
    },
  }
}

async function read(request: ReadRequest, setup: ReadResultSetup): Promise<ToolResponse> {
  const { handle, pattern = '' } = request
  const { maxChars, texts } = setup
  const text = readHandle(handle) && (await setup.read(handle))
  if (text === undefined) return ownWords(texts.noResult)
  if (pattern !== '') return findPlaces(text, request, maxChars, texts)
  const { offset = 0 } = request
  if (offset >= text.length) return ownWords(texts.beyondEnd(text.length))
  return readPiece(text, request, maxChars, texts)
}

/** An error in the library's own words: of nothing in it a model has to be warned, whatever the handle says. */
function ownWords(text: string): ToolResponse {
  const response = ToolResponse.error(text)
  markFenced(response)
  return response
}

/** What each parameter must be. */
const parameters: Readonly<Record<keyof ReadRequest, (value: unknown) => boolean>> = {
  handle: (value) => typeof value === 'string',
  offset: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  length: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  pattern: (value) => typeof value === 'string' && value.length <= maxPatternChars,
}

/** A request with the known parameters only, or what is wrong with it. */
function readRequest(
  input: unknown,
  texts: LongResultTexts,
): { readonly request: ReadRequest } | { readonly issues: readonly ToolIssue[] } {
  const given = isRecord(input) ? input : {}
  const names = Object.entries(parameters).filter(([name]) => given[name] !== undefined || name === 'handle')
  const issues = names
    .filter(([name, accepts]) => !accepts(given[name]))
    .map(([path]): ToolIssue => ({ path, message: texts.wrongValue(path, maxPatternChars) }))
  if (issues.length > 0) return { issues }
  return { request: Object.fromEntries(names.map(([name]) => [name, given[name]])) as unknown as ReadRequest }
}

function definitionFor(maxChars: number, texts: LongResultTexts): ToolDefinition {
  return {
    name: readResultName,
    description: texts.readDescription,
    inputSchema: {
      type: 'object',
      properties: {
        handle: { type: 'string', description: texts.readHandle },
        offset: { type: 'integer', minimum: 0, description: texts.readOffset },
        length: { type: 'integer', minimum: 1, description: texts.readLength(maxChars) },
        pattern: { type: 'string', maxLength: maxPatternChars, description: texts.readPattern },
      },
      required: ['handle'],
    },
    parallelSafe: true,
    needsApproval: false,
    // It keeps its limit itself: what it gives is never cut and kept again.
    maxResultChars: Number.POSITIVE_INFINITY,
    labels: { effect: 'none', egress: false, reads: 'by-input', externalContent: 'by-input' },
  }
}
