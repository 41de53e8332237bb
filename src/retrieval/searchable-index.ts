import type { ToolDefinition } from '../tool/tool-definition.ts'

/** A tool as an index takes it. */
export interface IndexedTool {
  readonly definition: Pick<ToolDefinition, 'name' | 'description' | 'inputSchema' | 'examples'>
  /** Changes when the tool does: a tool with the same fingerprint and name is not indexed anew. */
  readonly fingerprint: string
  /** The server, toolkit or worker it comes from, by its short name: a word of it in a query counts for its tools. */
  readonly namespace?: string
}

/** A tool that was found. */
export interface ToolHit {
  readonly name: string
  /** Above 0; comparable within one search only. An exact name is first whatever its score. */
  readonly score: number
  /** The words of the query that the tool's text has, as the person or model wrote them. */
  readonly terms: readonly string[]
}

/** What differs from search to search. */
export interface IndexSearchOptions {
  /** Of how many hits to give. @default 8 */
  readonly limit?: number
  /** The only names that may be found. Others are left out before the ranking is cut. @default all */
  readonly among?: ReadonlySet<string>
  /** Whether a long text is also searched clause by clause. @default true */
  readonly clauses?: boolean
}

/** An index of tools, in this realm or in a worker of its own. */
export interface SearchableIndex {
  /** Makes the index hold exactly these tools: new ones are added, changed ones replaced, absent ones removed. */
  update(tools: readonly IndexedTool[]): Promise<void>
  /**
   * Best first; empty when no word of the query but stop words is in any tool's text. With vectors, tools that have no
   * word of it can be found too.
   */
  search(query: string, options?: IndexSearchOptions): Promise<readonly ToolHit[]>
  close(): Promise<void>
}
