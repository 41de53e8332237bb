import { isRecord } from '../tool/value-kinds.ts'
import type { IndexedTool, IndexSearchOptions, ToolHit } from './searchable-index.ts'

/** What a worker with an index exposes over Comlink. */
export interface IndexFace {
  /** Brings tools, some at a time; they are found after the next update. */
  bring(tools: readonly IndexedTool[]): Promise<void>
  /** Makes the index hold exactly the tools of these names, all of which were brought. */
  update(names: readonly string[]): Promise<void>
  search(query: string, options: IndexSearchOptions): Promise<readonly ToolHit[]>
}

/** Sent by the worker once it listens; Comlink passes over it. */
export interface IndexReady {
  readonly offstageIndex: 1
}

/** Whether a message of a worker says that its index can be asked. */
export function isIndexReady(data: unknown): data is IndexReady {
  return isRecord(data) && data.offstageIndex === 1
}
