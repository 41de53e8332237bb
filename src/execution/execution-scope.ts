import type { ModelTexts } from '../tool/model-texts.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import type { ListedTool, ToolSource } from '../toolset/tool-source.ts'
import type { ConfirmHandler } from './approval.ts'
import type { ExecutionEvent } from './execution-event.ts'
import type { ToolMiddleware } from './middleware.ts'

/** All that the calls of one step share. */
export interface ExecutionScope {
  readonly source: ToolSource
  /** Every tool of the source now, by the name that the model sees; permissions are asked later. */
  readonly tools: ReadonlyMap<string, ListedTool>
  /** A call must pass each of them. */
  readonly permissions: readonly ToolPermissions[]
  readonly confirm?: ConfirmHandler | undefined
  readonly middleware: readonly ToolMiddleware[]
  readonly texts: ModelTexts
  /** Deadline of a call whose tool sets none, in milliseconds. */
  readonly timeoutMs: number
  /** Aborts when the step is over or given up. */
  readonly signal: AbortSignal
  readonly deps: unknown
  /** Whether the schema may be checked as late as in the call itself: nothing on the page waits for the answer. */
  readonly mayLeaveCheck: boolean
  readonly runId?: string | undefined
  readonly step?: number | undefined
  emit(event: ExecutionEvent): void
}
