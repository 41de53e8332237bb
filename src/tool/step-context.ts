/** What is known of a step when its tools are chosen. */
export interface StepContext<Deps = unknown> {
  /** Absent outside any run. */
  readonly runId?: string
  /** Counted from 1; absent before the first step. */
  readonly step?: number
  /** The agent's `deps`. */
  readonly deps: Deps
  /** What the model can do, in the words of its adapter; absent when it does not say. */
  readonly capabilities?: readonly string[]
}

/** Stands for the context where tools are listed outside any run. */
export const outsideRun: StepContext = Object.freeze({ deps: undefined })
