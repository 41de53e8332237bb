import { withoutChatMarkup } from '../tool/chat-markup.ts'

/** What was taken out of a text or replaced in it, and how often. Kinds that it did not hold are absent. */
export interface CleanedKinds {
  /** Control characters (C0 and C1) other than tab and line end. */
  readonly control?: number
  /** Characters that turn the direction of writing round. */
  readonly bidi?: number
  /** Characters that cannot be seen; of joiners and variation selectors, those that are piled up. */
  readonly invisible?: number
  /** Unicode tags, which spell words that nobody sees. */
  readonly tag?: number
  /** Halves of a surrogate pair, replaced by U+FFFD. */
  readonly surrogate?: number
  /** Marks that a model may take for the beginning or end of somebody's turn, broken up by a space. */
  readonly markup?: number
}

/** A text without what hides or pretends, and the account of it. */
export interface CleanContent {
  readonly text: string
  readonly removed: CleanedKinds
}

const lineEnds = /\r\n?/g
const classes: readonly (readonly [keyof CleanedKinds, string])[] = [
  ['control', '[\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F]'],
  ['bidi', '[\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]'],
  // Spaces without width, operators that are not seen, fillers of scripts, soft hyphens.
  [
    'invisible',
    '[\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u2060-\\u2065\\u206A-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}]',
  ],
  ['tag', '[\\u{E0000}-\\u{E00FF}\\u{E01F0}-\\u{E0FFF}]'],
  ['surrogate', '\\p{Surrogate}'],
]
const unwanted = new RegExp(classes.map(([, set]) => `(${set})`).join('|'), 'gu')
// An emoji has two of them side by side at most. Piled up they spell out bits.
const joining = '[\\u180B-\\u180D\\u180F\\u200C\\u200D\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]'
const piled = new RegExp(`(${joining}{2})(${joining}+)`, 'gu')

/**
 * Takes out of a text what a reader cannot see, and breaks up what a model could take for the words of somebody else.
 * Joiners stay, which scripts and emoji need; doing it twice changes nothing more.
 */
export function cleanContent(raw: string): CleanContent {
  const removed: { -readonly [Kind in keyof CleanedKinds]: number } = {}
  const count = (kind: keyof CleanedKinds, times: number) => {
    removed[kind] = (removed[kind] ?? 0) + times
  }
  const visible = raw.replace(lineEnds, '\n').replace(unwanted, (_all, ...groups: readonly unknown[]) => {
    const [kind] = classes[groups.findIndex((group) => group !== undefined)] as (typeof classes)[number]
    count(kind, 1)
    return kind === 'surrogate' ? '\uFFFD' : ''
  })
  const sparse = visible.replace(piled, (_all, kept: string, more: string) => {
    count('invisible', [...more].length)
    return kept
  })
  // Last of all: what is taken out may have stood in the midst of a mark.
  const text = withoutChatMarkup(sparse)
  if (text !== sparse) count('markup', text.length - sparse.length)
  return { text, removed }
}
