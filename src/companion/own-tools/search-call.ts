import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { WebSearch } from '../search/web-search.ts'

/** Searches the web; without any source that works the answer is an error that names them all. */
export async function callSearch(
  search: WebSearch,
  { query, maxResults }: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  if (typeof query !== 'string' || query.trim() === '') {
    return { content: [{ type: 'text', text: 'query must be a text that is not empty.' }], isError: true }
  }
  const isCount = typeof maxResults === 'number' && Number.isInteger(maxResults)
  const most = isCount ? Math.min(Math.max(maxResults, 1), 20) : 5
  const { source, results, degraded } = await search(query, most, signal)
  if (source === undefined) {
    const reasons = degraded.map(({ source, reason }) => `${source}: ${reason}`).join('; ')
    return {
      content: [{ type: 'text', text: `No source could be searched. ${reasons}.` }],
      structuredContent: { results, degraded },
      isError: true,
    }
  }
  const lines = results.map(({ title, url, snippet }, index) => `${index + 1}. ${title}\n${url}\n${snippet}`)
  return {
    content: [{ type: 'text', text: lines.length === 0 ? 'Nothing was found.' : lines.join('\n\n') }],
    structuredContent: { source, results, degraded },
  }
}
