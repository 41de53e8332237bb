import type { TaintSource } from './taint-source.ts'

/** A host or an e-mail address that a call would reach. Plain JSON. */
export interface Destination {
  readonly kind: 'host' | 'email'
  /** In full, as a browser reads it: letters of other scripts are punycode. An address has its part before the `@`. */
  readonly name: string
  /** The host alone. */
  readonly host: string
}

/** Why a rule has a person asked; plain JSON. The reason is also one of the reasons of the request. */
export interface PolicyReason {
  /** The rule's name. */
  readonly rule: string
  readonly reason: string
  /** What was read and is not to be trusted, the newest first. At most 10. */
  readonly sources?: readonly TaintSource[]
  /** Where private data was read, the newest first. At most 10. */
  readonly secrets?: readonly TaintSource[]
  /** What the call would reach that nobody trusted has named. At most 50. */
  readonly destinations?: readonly Destination[]
}
