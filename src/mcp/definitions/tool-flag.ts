import { cutText } from '../cut-text.ts'

/** What was found. */
export type ToolFlagKind =
  /** Characters that cannot be seen, or that turn the direction of writing round. */
  | 'hidden-characters'
  | 'html-comment'
  /** Words that chat models take for the beginning of somebody's turn. */
  | 'chat-markup'
  /** Many blank lines or spaces, which push what follows out of sight. */
  | 'blank-run'
  | 'over-long'
  /** Phrases that give orders to a model, such as "before using" or "do not tell the user". */
  | 'instructions'
  | 'names-other-tools'
  | 'no-description'
  | 'no-input-schema'
  /** The output schema cannot be used: results are not checked. */
  | 'output-schema'
  /** A pattern cannot be checked here; the server may still refuse the input. */
  | 'pattern'
  /** A value that the model may choose from was changed while it was cleaned. */
  | 'changed-value'

/** Something about a tool's definition that a person should know. None of them keeps it from being used. */
export interface ToolFlag {
  readonly kind: ToolFlagKind
  /** `title`, `description`, or the path in a schema: `inputSchema.properties.city.description`. */
  readonly field: string
  /** One sentence for a person. */
  readonly text: string
}

/** The flags of one tool, while it is read. */
export interface FlagList {
  readonly flags: readonly ToolFlag[]
  /** The same kind is only told once for `title`, `description` and each schema. */
  add(kind: ToolFlagKind, field: string, text: string): void
}

/** An empty list. */
export function flagList(): FlagList {
  const flags = new Map<string, ToolFlag>()
  return {
    get flags() {
      return [...flags.values()]
    },
    add: (kind, field, text) => {
      const key = `${kind} ${field.split('.', 1)}`
      if (!flags.has(key)) flags.set(key, { kind, field: cutText(field, maxFieldChars), text })
    },
  }
}

const maxFieldChars = 200
