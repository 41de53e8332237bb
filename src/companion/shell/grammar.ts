/** What may stand as the value of a flag, or as an operand. */
export type ValueKind =
  /** A whole number, with a sign or a unit where programs take one. */
  | 'count'
  /** Any characters: a pattern, a date in words, a name. The program reads no file of that name. */
  | 'text'
  /** As `text`, but nothing that makes git check a signature, which runs a program. */
  | 'format'
  /** A commit, or a range of them, in the words of git. */
  | 'revision'
  /** A file or folder inside the roots. */
  | 'path'

/** A flag that is allowed. */
export interface Flag {
  /** What its value may be, or the words that it may be one of; absent if it takes none. */
  readonly value?: ValueKind | readonly string[]
  /** Whether the value may be missing. Such a value must be glued to the flag. */
  readonly optional?: boolean
  /** The value if the flag is the last word: a value may stand behind it, but need not. */
  readonly usual?: string
}

/** What may stand after the flags. */
export interface Operands {
  /** `pattern`: one text and then the rest. `revisions`: commits first, then paths. */
  readonly kinds:
    | 'none'
    | 'text'
    | 'paths'
    | 'revisions'
    | 'pattern, paths'
    | 'pattern, revisions'
    | 'commits'
  /** Most operands. Default: no limit. */
  readonly most?: number
  /** One of these flags must be there if there are operands. */
  readonly onlyWith?: readonly string[]
  /** Each operand must fit this. */
  readonly shape?: RegExp
}

/** The rules of a program, or of a sub-command of it. What they do not name is refused. */
export interface Grammar {
  /** All spellings that are allowed, each on its own. */
  readonly flags: ReadonlyMap<string, Flag>
  readonly operands: Operands
  /** The flag that a number alone stands for: `-5` for `-n 5`. */
  readonly number?: string
  /** Whether letters may be joined: `-la`. */
  readonly joined?: boolean
  /** Flags that are always put in. */
  readonly always?: readonly string[]
  /** A flag that goes without those. */
  readonly alone?: string
  /** An operand to put in where there is none. */
  readonly usual?: string
  /** Whether the program knows `--`. Default: true. */
  readonly ends?: boolean
}

/** Flags by what they take; each text holds spellings, apart by blanks. */
export interface FlagTable {
  /** Flags without a value. */
  readonly none?: string
  /** Flags with a value of a kind. */
  readonly needs?: Readonly<Partial<Record<ValueKind, string>>>
  /** Flags whose value may be missing, and is glued to them if it is there. */
  readonly may?: Readonly<Partial<Record<ValueKind, string>>>
  /** Flags whose value is one of some words. */
  readonly choice?: Readonly<Record<string, Flag>>
}

/** The flags of a table by their spellings. */
export function flags({ none = '', needs = {}, may = {}, choice = {} }: FlagTable): Map<string, Flag> {
  const named = (names: string, flag: Flag) => names.split(/\s+/).map((name) => [name, flag] as const)
  const all = [
    ...named(none, {}),
    ...Object.entries(needs).flatMap(([kind, names]) => named(names, { value: kind as ValueKind })),
    ...Object.entries(may).flatMap(([kind, names]) =>
      named(names, { value: kind as ValueKind, optional: true }),
    ),
    ...Object.entries(choice).flatMap(([names, flag]) => named(names, flag)),
  ]
  return new Map(all.filter(([name]) => name !== ''))
}
