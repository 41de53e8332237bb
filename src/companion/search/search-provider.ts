/** One page that was found. */
export interface FoundPage {
  readonly title: string
  readonly url: string
  /** What the provider shows of it. */
  readonly snippet: string
}

/** What one search is given. */
export interface ProviderQuery {
  readonly query: string
  readonly maxResults: number
  /** The provider's own key, for those that need one. */
  readonly key: string
  /** The address of its interface, without a slash at the end. */
  readonly baseUrl: string
  readonly signal: AbortSignal
}

/** A service that searches the web. */
export interface SearchProvider {
  readonly name: ProviderName
  /** The variable of the environment that holds its key; absent when it needs none. */
  readonly keyName?: string
  readonly baseUrl: string
  /** @throws Error whose message says what was wrong with the answer, and holds no key. */
  search(query: ProviderQuery): Promise<readonly FoundPage[]>
}

/** The providers, in the order in which they are tried. */
export type ProviderName = 'tavily' | 'duckduckgo' | 'brave' | 'serpapi'
