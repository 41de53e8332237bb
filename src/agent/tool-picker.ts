import type { ToolInput } from '../toolset/gather.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'

/** A tool that the model of a run is offered, and why. Plain JSON: it is kept with the run. */
export interface PickedTool {
  readonly name: string
  readonly why: /** It is not among the tools that are chosen from, or the picker always takes it. */
    | 'always'
    /** It was called earlier in the conversation. */
    | 'used'
    /** It fits what the person said. */
    | 'hit'
    /** Nothing fitted, or the picker failed, and so many are offered. */
    | 'all'
    /** The model searched for it. */
    | 'found'
    /** The model called it by its name before it was offered. */
    | 'named'
  /** How well it fits; comparable with those that were found with it only. */
  readonly score?: number
  /** The words that it was found by. */
  readonly terms?: readonly string[]
}

/** What a picker chose. */
export interface Picks {
  readonly tools: readonly PickedTool[]
  /** Why it could not choose as it should have; for the developer. */
  readonly failure?: string
}

/**
 * Chooses the few tools of a run among many: what the `toolRetriever` of an agent must be able to do. `ToolRetriever` is
 * the one that the library has.
 */
export interface ToolPicker {
  /** What it chooses from, as an agent's `tools` has it: the agent is given what it does not have yet. */
  readonly tools: readonly ToolInput<never>[]
  /**
   * The names of all tools that it chooses from now, and of each whether it may be offered at all. A tool that it does
   * not know is always offered.
   */
  known(): Promise<ReadonlyMap<string, boolean>>
  /**
   * Chooses among the tools that the step may offer.
   *
   * @param said - What the person said, the latest first. Empty when only those are wanted that it always takes.
   */
  pick(said: readonly string[], among: readonly ListedTool[]): Promise<Picks>
}

/**
 * What a tool has of the run that calls it, when it is one that searches for tools.
 *
 * @internal
 */
export interface OpenRun {
  /** What may be offered in this step. Nothing else may be found, or even mentioned. */
  readonly among: readonly ListedTool[]
  isOffered(name: string): boolean
  /** From the next step on the model is offered them. Those that are not `among` are left out. */
  offer(found: readonly Omit<PickedTool, 'why'>[]): void
}

/**
 * What the agent knows a tool by that searches for tools. It counts on the tool itself, an object of this realm:
 * nothing that a result or a server says adds a tool to a run.
 *
 * @internal
 */
export interface ToolSearch {
  readonly picker: ToolPicker
  /** Its description where these can be found. */
  describe(among: readonly ListedTool[]): string
  /** Lets it reach a run while that lasts; returns the end of it. */
  join(runId: string, run: OpenRun): () => void
}

/**
 * The search of a tool, if it is one that searches for tools.
 *
 * @internal
 */
export function searchOf(tool: object | undefined): ToolSearch | undefined {
  return (tool as { readonly '~search'?: ToolSearch } | undefined)?.['~search']
}
