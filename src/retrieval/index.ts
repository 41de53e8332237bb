export { kneePoint, scoreThreshold } from './cutoff.ts'
export type { Embedder, EmbedOptions } from './embedder.ts'
export { estimateTokens } from './estimate-tokens.ts'
export { type RemoteToolIndexOptions, remoteToolIndex } from './remote-tool-index.ts'
export type { HitSelector, ToolRetrieverOptions } from './retriever-options.ts'
export type { IndexedTool, IndexSearchOptions, SearchableIndex, ToolHit } from './searchable-index.ts'
export { serveToolIndex } from './serve-tool-index.ts'
export { ToolIndex, type ToolIndexOptions } from './tool-index.ts'
export { type RetrieverSearchOptions, ToolRetriever } from './tool-retriever.ts'
export {
  type FoundToolText,
  type ServerText,
  type ToolSearchTexts,
  toolSearchTextsEn,
  toolSearchTextsZh,
} from './tool-search-texts.ts'
export { type FoundTool, ToolSearchTool, type ToolSearchToolOptions } from './tool-search-tool.ts'
