import { inScope } from './in-scope.ts'
import { issuesOf } from './look-at.ts'
import { questionOf, runBatch, startAhead } from './run-batch.ts'
import { openRunTools } from './run-tools.ts'
import { visibleTools } from './visible-tools.ts'

/** What calls pass on their way: one piece, so that it is fetched at once. */
export const gate: {
  readonly inScope: typeof inScope
  readonly runBatch: typeof runBatch
  readonly startAhead: typeof startAhead
  readonly questionOf: typeof questionOf
  readonly issuesOf: typeof issuesOf
  readonly visibleTools: typeof visibleTools
  readonly openRunTools: typeof openRunTools
} = { inScope, runBatch, startAhead, questionOf, issuesOf, visibleTools, openRunTools }
