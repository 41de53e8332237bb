/** One page that was found. */
export interface SearchResult {
  readonly title: string
  readonly url: string
  /** A short piece of its text, or a description. */
  readonly snippet: string
}

/** What a source is told with a query. */
export interface SearchOptions {
  /** More results than this are left out. */
  readonly maxResults: number
  /** Aborts at the source's time limit, and when the call is stopped. */
  readonly signal: AbortSignal
}

/** Something that can be searched: any object with this function. */
export interface SearchSource {
  /** What messages and `data` call it. @default "source" and its number */
  readonly name?: string
  /** @throws any error: the next source is tried then. Its message is read by the model. */
  search(query: string, options: SearchOptions): Promise<readonly SearchResult[]>
}

/** A source that was passed over, and why. */
export interface PassedOver {
  readonly source: string
  readonly reason: string
}
