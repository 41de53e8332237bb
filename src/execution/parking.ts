import { latePart } from '../tool/late-part.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import type { parking as Parking } from './park-result.ts'
import type { ResultStore } from './result-store.ts'
import type { RunBudget } from './run-budget.ts'
import type { StepTools } from './run-tools.ts'

/** The tools of a step, as far as they are known. */
export type ReadableTools = Pick<StepTools, 'source' | 'tools'> & Partial<Pick<StepTools, 'offered'>>

/** How long results of one run are read. */
export interface Reader {
  /** Adds the tool that reads them to the tools of a step. */
  addTo<Tools extends ReadableTools>(tools: Tools, budget?: RunBudget): Tools
  /** Deletes all that is kept. Never rejects. */
  forget(): Promise<void>
}

/**
 * By run, for those of which a long result is kept; `''` stands for the calls outside of any run. Empty before the
 * first long result.
 */
export type Readers = Map<string, Reader>

/** What is known of a run that may go on with long results of before. */
export interface KeptBefore {
  /** For whom they were kept. */
  readonly owner: string
  readonly resultStore: ResultStore | undefined
  readonly permissions: readonly ToolPermissions[]
  /** See `ReaderSetup`. */
  readonly maxChars: number
  readonly texts: ModelTexts
}

/** What keeps long results and reads them: it is fetched for the first one. */
export const theParking: () => typeof Parking | Promise<typeof Parking> = latePart(async () => {
  const { parking } = await import('./park-result.ts')
  return parking
})
