export type { IndexedTool, IndexSearchOptions, SearchableIndex, ToolHit } from './searchable-index.ts'
