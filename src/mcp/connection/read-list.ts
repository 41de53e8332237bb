import { LinkedAbort } from '../../tool/abort.ts'
import { errorToData } from '../../tool/error-data.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import { asList, isRecord } from '../../tool/value-kinds.ts'
import { McpError, type McpList, type McpListLimits } from './mcp-connection.ts'
import { excerpt } from './wire-message.ts'

/** Asks for one page. */
export type AskPage = (params: JsonObject, stop: LinkedAbort) => Promise<JsonObject>

/**
 * Reads a list page by page, until it ends or a limit is met. What was read is of use also when the rest cannot be.
 *
 * @param key - Under which the items stand in an answer.
 * @throws McpError when not even the first page could be read; the reason of the signal when it aborts.
 */
export async function readList(key: string, limits: McpListLimits, ask: AskPage): Promise<McpList> {
  const { signal, timeoutMs } = limits
  const stop = new LinkedAbort(signal)
  stop.startDeadline(timeoutMs, 'The time for a list')
  const items: JsonObject[] = []
  try {
    const why = await readPages(key, limits, items, (params) => ask(params, stop))
    return why === undefined ? { items } : { items, incomplete: why }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (!(error instanceof NextPageFault)) {
      if (isUnknownMethod(error)) return { items: [] }
      throw stop.deadlinePassed() ? tooSlow(key, timeoutMs, error) : error
    }
    const { page, cause } = error
    const why = stop.deadlinePassed()
      ? `reading all pages takes longer than ${timeoutMs} ms`
      : errorToData(cause).message
    return { items, incomplete: `page ${page} was not read: ${why}` }
  } finally {
    stop.release()
  }
}

/** Adds to the items; resolves to why it ended before the list did. */
async function readPages(
  key: string,
  { maxPages, maxItems }: McpListLimits,
  items: JsonObject[],
  ask: (params: JsonObject) => Promise<JsonObject>,
): Promise<string | undefined> {
  const cursors = new Set<string>()
  for (let page = 1, params = {}; ; page++) {
    const answer = await ask(params).catch((cause) => {
      throw page === 1 ? cause : new NextPageFault(page, cause)
    })
    if (!Array.isArray(answer[key])) {
      throw page === 1 ? noList(key) : new NextPageFault(page, noList(key))
    }
    for (const item of asList(answer[key])) if (isRecord(item)) items.push(item as JsonObject)
    const { nextCursor: cursor } = answer
    if (items.length > maxItems || (items.length === maxItems && isCursor(cursor))) {
      items.length = maxItems
      return `it has more than ${maxItems} items`
    }
    // Some servers write null for the end. An empty cursor is one like any other: cursors are opaque.
    if (!isCursor(cursor)) return undefined
    if (cursors.has(cursor)) return `after page ${page} came the cursor "${excerpt(cursor)}" a second time`
    if (page >= maxPages) return `it has more than ${maxPages} pages`
    cursors.add(cursor)
    params = { cursor }
  }
}

function isCursor(value: unknown): value is string {
  return typeof value === 'string'
}

class NextPageFault extends Error {
  readonly page: number

  constructor(page: number, cause: unknown) {
    super('A page could not be read', { cause })
    this.page = page
  }
}

function noList(key: string): McpError {
  return new McpError(`The answer has no list under "${key}".`, { code: 'protocol' })
}

function tooSlow(key: string, timeoutMs: number, cause: unknown): McpError {
  return new McpError(`The list of ${key} did not come within ${timeoutMs} ms.`, {
    code: 'timeout',
    mayHaveRun: false,
    cause,
  })
}

/** A server that has none of these does not know how to list them: JSON-RPC 2.0 §5.1. */
function isUnknownMethod(error: unknown): boolean {
  return error instanceof McpError && isRecord(error.cause) && error.cause.code === -32_601
}
