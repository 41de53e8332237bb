import { isRecord } from '../../tool/value-kinds.ts'
import type { SearchResult } from './search-source.ts'

/** The results of a list that can be used; undefined for what is no list. */
export function readResults(list: unknown, maxResults: number): SearchResult[] | undefined {
  if (!Array.isArray(list)) return undefined
  const results = list.flatMap((item: unknown) => {
    if (!isRecord(item) || typeof item.url !== 'string') return []
    const { title, url, snippet } = item
    return [{ title: textOf(title), url, snippet: textOf(snippet) }]
  })
  return results.slice(0, maxResults)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
