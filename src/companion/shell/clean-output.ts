/** Between which marks of a terminal's language a reader stands. */
type Place = 'text' | 'escape' | 'sequence' | 'string'

const STRING_STARTS = 'PX]^_'

// Marks that change the direction of text, and letters that nobody sees.
const HIDDEN = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu

/** Takes what a terminal would obey out of text that comes in pieces. */
export interface OutputCleaner {
  /** The next piece, cleaned. A mark may begin in one piece and end in another. */
  clean(piece: string): string
}

/**
 * Makes a cleaner: it takes out colours, moves of the cursor, titles, links and clipboard writes (ECMA-48 control
 * sequences and strings, such as OSC 8 and OSC 52), other control characters, and marks of text direction. A line end
 * also ends an unfinished control string, so that none can hide what comes after it.
 */
export function outputCleaner(): OutputCleaner {
  let place: Place = 'text'
  let afterReturn = false
  return {
    clean(piece) {
      let cleaned = ''
      for (const sign of piece) {
        const code = sign.codePointAt(0) ?? 0
        if (place === 'text') {
          place = placeAfter(sign, code)
          // A return alone would let a later part of a line cover an earlier one.
          // And NUL stands between the names of a list (-z, -print0).
          if (sign === '\r' || sign === '\0' || (sign === '\n' && !afterReturn)) cleaned += '\n'
          else if (place === 'text' && isSeen(sign, code)) cleaned += sign
          afterReturn = sign === '\r'
        } else {
          place = placeIn(place, sign, code)
          if (sign === '\n') cleaned += '\n'
        }
      }
      return cleaned.replace(HIDDEN, '')
    },
  }
}

function isSeen(sign: string, code: number): boolean {
  return sign === '\t' || (code >= 0x20 && (code < 0x7f || code > 0x9f))
}

/** Also the forms of one character, which few terminals still know. */
function placeAfter(sign: string, code: number): Place {
  if (sign === '\x1b') return 'escape'
  if (code === 0x9b) return 'sequence'
  return [0x90, 0x98, 0x9d, 0x9e, 0x9f].includes(code) ? 'string' : 'text'
}

function placeIn(place: Place, sign: string, code: number): Place {
  if (sign === '\n') return 'text'
  if (sign === '\x1b') return 'escape'
  if (place === 'string') return sign === '\x07' || code === 0x9c ? 'text' : 'string'
  if (place === 'sequence') return code >= 0x40 && code <= 0x7e ? 'text' : 'sequence'
  if (sign === '[') return 'sequence'
  if (STRING_STARTS.includes(sign)) return 'string'
  // Signs in between, as in the choice of a character set.
  return code >= 0x20 && code <= 0x2f ? 'escape' : 'text'
}
