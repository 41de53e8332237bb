export type { FileOptions, FileTier } from '../storage/line-files.ts'
export {
  type CalculatorProblem,
  type CalculatorTexts,
  calculatorTextsEn,
  calculatorTextsZh,
} from './calculator/calculator-texts.ts'
export { CalculatorTool, type CalculatorToolOptions } from './calculator/calculator-tool.ts'
export { type CLITexts, cliTextsEn, cliTextsZh } from './cli/cli-texts.ts'
export { CLITool, type CLIToolOptions } from './cli/cli-tool.ts'
export type { CommandPlan } from './cli/command-plan.ts'
export type { CompanionOption } from './companion/call-companion.ts'
export type { NoteEntry } from './notes/list-notes.ts'
export {
  type ImportReason,
  NoteError,
  type NoteErrorCode,
  type NoteProblem,
  type PathReason,
} from './notes/note-error.ts'
export {
  type Note,
  type NoteSearchOptions,
  type NoteStorage,
  NoteStore,
  type NoteStoreOptions,
} from './notes/note-store.ts'
export type { NoteExport, NoteImport } from './notes/note-zip.ts'
export { type NotePart, type NotesTexts, notesTextsEn, type RefusedPath } from './notes/notes-texts.ts'
export { notesTextsZh } from './notes/notes-texts-zh.ts'
export { NotesTool, type NotesToolOptions } from './notes/notes-tool.ts'
export type { NoteHit } from './notes/search-text.ts'
export { type MediaWikiOptions, mediaWikiSource } from './search/media-wiki-source.ts'
export type { PassedOver, SearchOptions, SearchResult, SearchSource } from './search/search-source.ts'
export { type SearchTexts, searchTextsEn, searchTextsZh } from './search/search-texts.ts'
export { SearchTool, type SearchToolOptions } from './search/search-tool.ts'
