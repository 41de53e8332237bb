import type { Stop } from '../tool/abort.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import type { ConfirmHandler } from './approval.ts'
import type { CallJournal } from './call-journal.ts'
import type { ExecutionEvent } from './execution-event.ts'
import type { RunBudget } from './run-budget.ts'
import type { RunTaint } from './run-taint.ts'
import type { StepTools } from './run-tools.ts'
import type { TrustedText } from './trusted-destinations.ts'

/** What differs from call to call. */
export interface ExecuteOptions {
  readonly signal?: AbortSignal | undefined
  readonly deps?: unknown
  /** Replaces the executor's own. */
  readonly confirm?: ConfirmHandler | 'pause' | undefined
  /** Narrows further: a call must pass the executor's permissions and these. */
  readonly permissions?: ToolPermissions | undefined
  readonly runId?: string
  readonly step?: number
}

/** What an agent loop knows beside that. */
export interface StepOptions extends Omit<ExecuteOptions, 'signal'> {
  readonly signal?: Stop | undefined
  /** The tools of the step; listed anew when absent. */
  readonly tools?: StepTools
  /** What the run may still use; the loop counts the step once it is over. */
  readonly budget?: RunBudget
  /** What the run has read, as of the request that wrote the calls. */
  readonly taint?: RunTaint | undefined
  /** What the person, the app and trusted tools have said in the run. */
  readonly trustedTexts?: (() => Iterable<TrustedText>) | undefined
  /** For whom long results are kept. @default the run */
  readonly keptFor?: string | undefined
  /** Told of what must outlive the page. */
  readonly journal?: CallJournal | undefined
  /** Why the message that holds the calls was cut off, if it was: none of them runs. */
  readonly cutOff?: string | undefined
  readonly onEvent?: ((event: ExecutionEvent) => void) | undefined
}
