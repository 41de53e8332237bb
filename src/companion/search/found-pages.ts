import type { FoundPage } from './search-provider.ts'

/** The longest piece of text that is kept of a page, in characters. */
const maxSnippetChars = 1_000

/** Where a provider puts what. */
export interface PageFields {
  readonly title: string
  readonly url: string
  readonly snippet: string
}

/** The pages of a provider's list that can be used; what is no list or no page is left out. */
export function foundPages(list: unknown, fields: PageFields, maxResults: number): FoundPage[] {
  if (!Array.isArray(list)) return []
  const pages = list.flatMap((item: unknown) => {
    const page = Object(item) as Readonly<Record<string, unknown>>
    const url = textOf(page[fields.url])
    if (!/^https?:\/\//i.test(url)) return []
    return [{ title: textOf(page[fields.title]), url, snippet: textOf(page[fields.snippet]) }]
  })
  return pages.slice(0, maxResults)
}

/** Text without the tags and character references with which providers mark what was searched for. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .replace(/<\/?[a-z][^>]{0,200}>/gi, '')
    .replace(
      /&(amp|lt|gt|quot|apos|nbsp|#39|#x27);/gi,
      (whole, name: string) => references[name.toLowerCase()] ?? whole,
    )
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxSnippetChars)
}

const references: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
  ...{ '#39': "'", '#x27': "'" },
}
