/** What of a tool is not as it was when a person approved it; plain JSON. */
export interface ToolChange {
  readonly fields: readonly ChangedField[]
}

/** One part of a tool's definition, as it was and as it is. */
export interface ChangedField {
  /** For example `description`. */
  readonly name: string
  /** Absent when there was none. */
  readonly before?: string
  /** Absent when it is gone. */
  readonly after?: string
  /** Both texts piece by piece, in the order in which they are read. */
  readonly segments?: readonly ChangeSegment[]
}

/** A piece of a text: in both, in the old one only, or in the new one only. */
export interface ChangeSegment {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}
