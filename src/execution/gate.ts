import { CallTrail } from './call-trail.ts'
import { forgetResults } from './forget-results.ts'
import { issuesOf } from './look-at.ts'
import { runBatch, startAhead } from './run-batch.ts'

/** What calls pass on their way: one piece, so that it is fetched at once. */
export const gate: {
  readonly runBatch: typeof runBatch
  readonly startAhead: typeof startAhead
  readonly issuesOf: typeof issuesOf
  readonly forgetResults: typeof forgetResults
  newTrail(): CallTrail
} = { runBatch, startAhead, issuesOf, forgetResults, newTrail: () => new CallTrail() }
