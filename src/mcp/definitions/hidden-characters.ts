// Kept, because they are seen: a joiner inside of a script or an emoji that needs it, and the selector that
// turns a text symbol into an emoji. Between Latin letters a joiner does nothing but hide a word from a
// search.
const joined = '(?<=(?!\\p{Script=Latin})[\\p{L}\\p{M}])[\\u200C\\u200D](?=\\p{L}|\\p{M})'
const emojiJoined =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})'
const emojiSelected = '(?<=\\p{Emoji})[\\uFE0E\\uFE0F]'

// What has no ink of its own: controls, format and bidi characters, tags, lone surrogates, private and
// unassigned code points, fillers, variation selectors, the empty braille pattern and the placeholder for an
// object. And marks that are piled over other lines.
const withoutInk = '[\\p{C}\\p{Default_Ignorable_Code_Point}\\u2800\\uFFFC]'
const piled = '(?<=\\p{M}{4})\\p{M}'

const kept = new RegExp(`${joined}|${emojiJoined}|${emojiSelected}|[\\t\\n]`, 'uy')
const hidden = new RegExp(`${withoutInk}|${piled}`, 'gu')

/** A text without what cannot be seen in it, and the names of that. */
export interface VisibleText {
  readonly text: string
  /**
   * Each hidden character by its code point and how often it stood there: `U+200B ×3, U+202E`; empty for
   * none.
   */
  readonly hidden: string
}

/** Takes out of a text what cannot be seen, turns the direction of writing round, or lies over other lines. */
export function withoutHidden(raw: string): VisibleText {
  const counts = new Map<string, number>()
  let text = raw
  // Without its neighbour, what was kept for it may be hidden too. A text that goes on so keeps no joiner at all.
  for (let [pass, before] = [0, '']; text !== before; pass += 1) {
    before = text
    text = before.replace(hidden, (character, at: number) => {
      kept.lastIndex = at
      if (/[\t\n]/.test(character) || (pass < maxPasses && kept.test(before))) return character
      const name = characterName(character)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      return ''
    })
  }
  return { text, hidden: describeCounts(counts) }
}

const maxPasses = 4

/** The names of the hidden characters of a text, in the order in which they first come; empty for none. */
export function hiddenNames(text: string): string {
  return withoutHidden(text).hidden
}

const maxNames = 8

function describeCounts(counts: ReadonlyMap<string, number>): string {
  const names = [...counts].map(([name, times]) => (times === 1 ? name : `${name} ×${times}`))
  const rest = names.length - maxNames
  return [...names.slice(0, maxNames), ...(rest > 0 ? [`+${rest}`] : [])].join(', ')
}

// As the dialog names them.
function characterName(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `U+${hex.padStart(4, '0')}`
}
