import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import type { ToolApproval } from '../tool/run-context.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { hasMethods } from '../tool/value-kinds.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import type { ListedTool } from './listed-tool.ts'

/** What a source is told with a call. */
export interface SourceCallOptions {
  /** Unique for the call. @default a random one */
  readonly callId?: string
  readonly runId?: string
  readonly step?: number
  /** Aborting it stops the call; the source then settles soon, with the kind `stopped`. */
  readonly signal?: AbortSignal
  readonly deps?: unknown
  /** See `RunContext`. @default 1 */
  readonly attempt?: number
  /** See `RunContext`. @default 1 */
  readonly maxRetries?: number
  /**
   * The definition as the outermost wrapper shows it; it is the one that counts. A source that gets none goes by
   * its own.
   */
  readonly definition?: ToolDefinition
  /** The fields that a person fills in are in the input. Without it a source takes them out: they are not the model's. */
  readonly filledByPerson?: boolean
  /** The tool that was listed (`rootOf`): a source that has another one by now under the name does not run it. */
  readonly root?: object
  /** How long a tool may take to settle after its signal aborted, in milliseconds. @default 100 */
  readonly graceMs?: number
  /**
   * For `preflight`: the source may answer `unchecked` and leave the check to `call`, where nothing but the
   * check could keep the call from running. A source that runs tools elsewhere saves a message by that.
   */
  readonly mayLeaveCheck?: boolean
  /** For `call`: a preflight has checked this input. Without it, a source that may leave checks out makes it now. */
  readonly checked?: boolean
  /** A person's yes to this very call. */
  readonly approval?: ToolApproval
  /** Called once, when the tool starts; from then on its deadline counts. */
  onStart?(start: CallStart): void
  /** Called for each progress value, in order, before the outcome. */
  onProgress?(value: unknown): void
  onLog?(entry: LogEntry): void
}

/** Where and when a call started. */
export interface CallStart {
  /** The worker lane; absent when the tool runs in the page. */
  readonly lane?: string
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number
}

/** A line that a tool wrote with `context.log`. */
export interface LogEntry {
  readonly message: string
  readonly data?: unknown
}

/**
 * Where tools come from. A registry, a worker pool, an MCP server and each wrapper are the same thing
 * seen from outside. `preflight` is apart from `call`: a person must see checked input, and the schema
 * lives where the tool lives.
 */
export interface ToolSource {
  /** What messages about the source call it. */
  readonly label?: string
  /** The tools it offers now, in a stable order. */
  list(): Promise<readonly ListedTool[]>
  /** Checks a call where the tool lives, at once if it can. Never throws or rejects for what a model sent. */
  preflight(name: string, input: unknown, options?: SourceCallOptions): MaybePromise<Preflight>
  /** Runs a call. Never rejects: every way to end is an outcome. */
  call(name: string, input: unknown, options?: SourceCallOptions): Promise<CallOutcome>
  /**
   * Whether `call` may wait before the tool starts and then reports the start with `onStart`. When absent,
   * the deadline counts from the moment `call` is called.
   */
  readonly reportsStart?: boolean
  /**
   * Whether `call` settles soon after its signal aborted, whatever the tool does. The executor gives others up
   * after a while.
   * @default false
   */
  readonly settlesSoon?: boolean
  /**
   * The source of one run, or of one step of it: for a source whose tools depend on the run. Absent: it serves
   * all runs alike. Who gets another source than this one closes it after the run, or the step.
   */
  forRun?(context: StepContext): ToolSource | undefined | Promise<ToolSource | undefined>
  forStep?(context: StepContext): ToolSource | undefined | Promise<ToolSource | undefined>
  /** Whether other tools may be offered in another step: a name that is not there now may come. @default false */
  readonly dynamic?: boolean
  /** What its last `list` left out, or could not read. */
  notes?(): readonly SourceNote[]
  /** How a developer gives its tools other names, for the message about two tools of one name. */
  readonly conflictHint?: string
  /** Calls `listener` after the offered tools changed; returns the way to stop that. */
  subscribe?(listener: () => void): () => void
  /** Releases what the source holds. */
  close?(): Promise<void>
}

/** What a person who looks at a step should know about its tools. */
export type SourceNote =
  /** A source could not be listed and was skipped. */
  | { readonly kind: 'failed'; readonly source: string; readonly message: string }
  /** A tool is not offered in this step. */
  | { readonly kind: 'dropped'; readonly tool: string; readonly reason: string }
  /** What chooses among the tools could not do it as it should: others are offered than it would have chosen. */
  | { readonly kind: 'picker-failed'; readonly message: string }
  /** A list that protects (approval, deny, include) names a tool that is not there now. */
  | { readonly kind: 'unknown-name'; readonly list: string; readonly name: string }

/** The answer of a source to a call of a tool that it no longer has. */
export function gone(name: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message: `The tool "${name}" is gone.` }
}

/** Whether a value offers tools. */
export function isToolSource(value: unknown): value is ToolSource {
  return hasMethods(value, 'list', 'preflight', 'call')
}
