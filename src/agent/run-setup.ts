import type { CallJournal } from '../execution/call-journal.ts'
import type { ResultStore } from '../execution/result-store.ts'
import type { ToolExecutor } from '../execution/tool-executor.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import type { RunLimits } from './limits.ts'
import type { ModelAdapter } from './model-adapter.ts'
import type { EndStrategy } from './output-tool.ts'
import type { ReopenedRun } from './reopen.ts'
import type { RunRecord } from './run-record.ts'
import type { AgentEvent, RunResult } from './run-result.ts'
import type { Spoken } from './spoken-message.ts'
import type { ToolPicker } from './tool-picker.ts'

/** All that one run needs. */
export interface RunSetup {
  readonly record: RunRecord
  readonly model: ModelAdapter
  readonly instructions: string | undefined
  readonly executor: ToolExecutor
  readonly limits: RunLimits
  readonly texts: ModelTexts
  /** Retries of a tool that sets none, and of the final answer. */
  readonly maxRetries: number
  /** Of the text of one result. */
  readonly maxResultChars: number
  readonly resultStore: ResultStore | undefined
  readonly permissions: ToolPermissions | undefined
  /** Whether calls may start before their message is whole. */
  readonly eagerStart: boolean
  /** Whether a tool that failed too often ends the run. */
  readonly throwsExhausted: boolean
  /** Set when the final answer comes through a tool. */
  readonly endStrategy: EndStrategy | undefined
  readonly deps: unknown
  /** What chooses among the tools of the run: for what the person said, and for what the model searches. */
  readonly pickers: readonly ToolPicker[]
  /** The one that chooses for what the person said. */
  readonly toolRetriever: ToolPicker | undefined
  /** What the run goes on from; absent for a new run. */
  readonly reopened: Pick<ReopenedRun, 'calls' | 'alreadyAnswered'> | undefined
  /** Why the app vouches for what was read so far, if it does. */
  readonly clearTaint: string | undefined
  /** Aborts when the caller gives up or the deadline passes. */
  readonly signal: AbortSignal
  /** Whether it was the deadline. */
  deadlinePassed(): boolean
  /** Keeps the run as it now is; nothing to wait for where runs are not kept. */
  save(status: RunResult['status'] | 'running'): Promise<void> | undefined
  /** How often the run was saved. */
  revision(): number
  /** For the calls of a message; absent where runs are not kept. */
  openJournal?(said: Spoken): CallJournal
  /** Absent where nobody listens: then no event has to be made. */
  readonly tell: ((event: AgentEvent) => void) | undefined
}
