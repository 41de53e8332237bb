import type { TaintSource } from '../tool/taint-source.ts'

/**
 * What a run has read that makes its calls suspect: of each kind the newest 40, the newest first. Until the app clears
 * it, what was tainted stays so.
 */
export interface Taint {
  /** Where text came from that is not to be trusted. The run is tainted when there is any. */
  readonly untrusted: readonly TaintSource[]
  /** Where private data was read. */
  readonly private: readonly TaintSource[]
}

/** Of a run that has read nothing, and of a call outside any run. */
export const noTaint: Taint = Object.freeze({ untrusted: Object.freeze([]), private: Object.freeze([]) })

/** What must be kept of it to go on later; plain JSON. */
export interface TaintState extends Taint {
  /**
   * Keys of the tools that were offered before untrusted text was there, or that a person has let run since; absent
   * until there is such text.
   */
  readonly known?: readonly string[]
  /** Tools whose results in the given conversation are not to be trusted. */
  readonly doubted: readonly string[]
}
