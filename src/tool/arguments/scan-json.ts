/** As deep as `copyJson` goes: what it lets through was scanned. */
const maxDepth = 101

/** Where a text stops being the JSON of one object, and how. */
export interface JsonFault {
  /**
   * - `cut-off`: it ends before the object is closed
   * - `quote`: a key or a string that is not in double quotes
   * - `literal`: a value that JSON does not have, such as `True`, `None` or `NaN`
   * - `comment`: JSON has none
   * - `depth`: nested deeper than an input may be
   * - `more`: something follows the object, perhaps a second one
   * - `around`: there is text round an object that the tool does not take
   * - `syntax`: anything else
   */
  readonly kind: 'cut-off' | 'quote' | 'literal' | 'comment' | 'depth' | 'more' | 'around' | 'syntax'
  /** Counted from 0, in UTF-16 code units. */
  readonly at: number
  /** What stands there, at most 12 characters; empty at the end of the text. */
  readonly found: string
}

/** What {@link scanJson} found: where the value ends, or what is wrong with it. */
export type Scanned =
  | { readonly end: number; readonly fault?: undefined }
  | { readonly fault: JsonFault; readonly end?: undefined }

/** A fault at a place of a text. */
export function faultAt(kind: JsonFault['kind'], text: string, at: number): JsonFault {
  return { kind, at, found: text.slice(at, at + 12) }
}

const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y
const space = /[ \t\n\r]*/y
// What a text ends in that was cut within a literal, a number or an escape.
const loose = /^[\w.+\\-]*$/

/**
 * Reads one JSON value from a place of a text on, by RFC 8259, and says where it ends. `JSON.parse` tells neither
 * that nor, in some engines, where its error is. It makes no value, is not recursive and looks at each character once.
 *
 * @param onScalar - Told where each number, `true`, `false` and `null` stands.
 */
export function scanJson(
  text: string,
  start: number,
  onScalar?: (from: number, end: number) => void,
): Scanned {
  /** The brackets that are open, innermost last. */
  const open: string[] = []
  let expects: 'value' | 'key' | 'colon' | 'comma' = 'value'
  let mayClose = false
  let at = start
  const fault = (kind: JsonFault['kind']): Scanned => {
    const isLoose = open.length > 0 && text.length - at < 12 && loose.test(text.slice(at))
    const isCut = isLoose || at === text.length
    return { fault: faultAt(isCut ? 'cut-off' : kind, text, isCut ? text.length : at) }
  }
  while (true) {
    at = endOf(space, text, at)
    const char = text.charAt(at)
    const closes = open.at(-1) === '{' ? '}' : ']'
    if (char === closes && open.length > 0 && mayClose) {
      open.pop()
      at += 1
    } else if (expects === 'comma' || expects === 'colon') {
      if (char !== (expects === 'comma' ? ',' : ':')) return fault(kindOf(char, text, at, 'syntax'))
      expects = expects === 'comma' && open.at(-1) === '{' ? 'key' : 'value'
      mayClose = false
      at += 1
      continue
    } else if (char === '"') {
      const end = endOfString(text, at)
      if (end < 0) {
        at = -end
        return fault('syntax')
      }
      at = end
      if (expects === 'key') {
        expects = 'colon'
        mayClose = false
        continue
      }
    } else if (expects === 'value' && (char === '{' || char === '[')) {
      if (open.length === maxDepth) return fault('depth')
      open.push(char)
      expects = char === '{' ? 'key' : 'value'
      mayClose = true
      at += 1
      continue
    } else {
      const end = expects === 'value' ? endOf(scalar, text, at) : at
      if (end === at) return fault(kindOf(char, text, at, expects === 'key' ? 'quote' : 'literal'))
      onScalar?.(at, end)
      at = end
    }
    if (open.length === 0) return { end: at }
    expects = 'comma'
    mayClose = true
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Right behind a string, or its first wrong place made negative. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return -at
    if (code !== 0x5c) continue
    const end = endOf(escapeSequence, text, at)
    if (end === at) return -at
    at = end - 1
  }
  return -text.length
}

function kindOf(
  char: string,
  text: string,
  at: number,
  ofWord: 'quote' | 'literal' | 'syntax',
): JsonFault['kind'] {
  if (char === "'" || char === '`' || char === '“') return 'quote'
  if (char === '#' || text.startsWith('//', at) || text.startsWith('/*', at)) return 'comment'
  return /[A-Za-z+-]/.test(char) ? ofWord : 'syntax'
}
