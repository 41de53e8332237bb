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
export { type MediaWikiOptions, mediaWikiSource } from './search/media-wiki-source.ts'
export type { PassedOver, SearchOptions, SearchResult, SearchSource } from './search/search-source.ts'
export { type SearchTexts, searchTextsEn, searchTextsZh } from './search/search-texts.ts'
export { SearchTool, type SearchToolOptions } from './search/search-tool.ts'
