import type { ToolOrigin } from './tool-origin.ts'

/** Something that a run has read. Plain JSON. */
export interface TaintSource {
  /**
   * `result`: what a call gave back, a failed one too; `description`: the words of tools that nobody has accepted;
   * `history`: a result of the given conversation of which nobody knows any more how far it is to be trusted.
   */
  readonly kind: 'result' | 'description' | 'history'
  /** Who made the tool; absent where that is not known any more. */
  readonly origin?: ToolOrigin
  /** The tool; for descriptions the first one of its origin. */
  readonly toolName: string
  readonly callId?: string
  /** The step of the run; absent for what stands in the given conversation. */
  readonly step?: number
  /** Of what the call was: the address in its input, or else its longest text, cut. */
  readonly about?: string
}
