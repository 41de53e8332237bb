import type { Stop } from '../tool/abort.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { ToolMiddleware } from '../toolset/tool-middleware.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { ConfirmHandler } from './approval.ts'
import type { CallJournal } from './call-journal.ts'
import type { CallTrail } from './call-trail.ts'
import type { CallEvent } from './execution-event.ts'
import type { Grants } from './grants.ts'
import type { Readers } from './parking.ts'
import type { Policy } from './policy-rule.ts'
import type { ResultStore } from './result-store.ts'
import type { RunBudget } from './run-budget.ts'
import type { RunTaint } from './run-taint.ts'
import type { TrustedText } from './trusted-destinations.ts'

/** All that the calls of one step share. */
export interface ExecutionScope {
  readonly source: ToolSource
  /** Every tool of the source now, by the name that the model sees; permissions are asked later. */
  readonly tools: ReadonlyMap<string, ListedTool>
  /** See `StepTools`. */
  readonly heldBack?: ((name: string) => string | undefined) | undefined
  /** A call must pass each of them. */
  readonly permissions: readonly ToolPermissions[]
  /** Asks the person; `pause` leaves every question open. */
  readonly confirm?: ConfirmHandler | 'pause' | undefined
  /** What the person said yes to for longer than once. */
  readonly grants?: Grants | undefined
  /** What the run may still use; absent outside any run. */
  readonly budget?: RunBudget | undefined
  /** What the run has read, as of the request that wrote the calls; absent outside any run. */
  readonly taint?: RunTaint | undefined
  /** What the person, the app and trusted tools have said in the run. */
  readonly trustedTexts?: (() => Iterable<TrustedText>) | undefined
  /** @default 'confirm' */
  readonly policy?: Policy | undefined
  /** Hosts and e-mail addresses that calls may reach without being asked about. */
  readonly trustedHosts?: readonly string[] | undefined
  /** Keeps what the stages said of calls that were not simply let through. */
  readonly trail?: CallTrail | undefined
  /** Retries of a tool that sets none. */
  readonly maxRetries: number
  /** Told of what must outlive the page. */
  readonly journal?: CallJournal | undefined
  readonly middleware: readonly ToolMiddleware[]
  readonly texts: ModelTexts
  /** The agent's own tool, to which permissions do not apply. */
  readonly alwaysPermitted?: object | undefined
  /** Deadline of a call whose tool sets none, in milliseconds. */
  readonly timeoutMs: number
  /** Longer texts of results are cut where their tool says nothing, in characters. */
  readonly maxResultChars: number
  /** Where long results are kept; absent: in the page's own store. */
  readonly resultStore?: ResultStore | undefined
  /** For whom they are kept. @default the run */
  readonly keptFor?: string | undefined
  readonly readers: Readers
  /** Aborts when the step is over or given up. */
  readonly signal: Stop
  readonly deps: unknown
  /** Whether the schema may be checked as late as in the call itself: nothing on the page waits for the answer. */
  readonly mayLeaveCheck: boolean
  readonly runId?: string | undefined
  readonly step?: number | undefined
  /** Tells what happens to a call: now, unless the time is known. Absent where nobody listens. */
  emit?(callId: string, event: CallEvent, at?: number): void
}
