/** A source file in two disguises of the same length, so that a position means the same place in both. */
export interface SourceText {
  /** Without comments: strings are still there, for import lines. */
  withoutComments: string
  /** Without comments, and with blanks for the inside of strings, templates and regular expressions. */
  code: string
}

/** Reads TypeScript without parsing it: enough to tell code from comments, strings and regular expressions. */
export function readSourceText(text: string): SourceText {
  return new SourceReader(text).read()
}

/** The number, from 1, of the line that a position is on. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|[`{}/]/g
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y
// What comes before a `/` that starts a regular expression; after anything else it is a division.
const BEFORE_EXPRESSION =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|yield|await|else|do|void))$/

class SourceReader {
  readonly #text: string
  readonly #result: SourceText = { withoutComments: '', code: '' }
  // One entry for each open brace: whether a template's `${` opened it.
  readonly #braces: boolean[] = []
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): SourceText {
    while (this.#position < this.#text.length) {
      TOKEN.lastIndex = this.#position
      const token = TOKEN.exec(this.#text)
      this.#take((token?.index ?? this.#text.length) - this.#position, 'code')
      if (token !== null) this.#readToken(token[0])
    }
    return this.#result
  }

  #readToken(token: string): void {
    if (token === '/') {
      const length = BEFORE_EXPRESSION.test(this.#lastCode()) ? this.#lengthOf(REGULAR_EXPRESSION) : 0
      this.#take(length || 1, length ? 'text' : 'code')
    } else if (token.startsWith('/')) {
      this.#take(token.length, 'comment')
    } else if (token.length > 1) {
      this.#take(1, 'code')
      this.#take(token.length - 2, 'text')
      this.#take(1, 'code')
    } else {
      this.#take(1, 'code')
      if (token === '{') this.#braces.push(false)
      if (token === '`' || (token === '}' && this.#braces.pop())) this.#readTemplate()
    }
  }

  #readTemplate(): void {
    this.#take(this.#lengthOf(TEMPLATE_TEXT), 'text')
    const ended = this.#text[this.#position] === '`'
    if (!ended) this.#braces.push(true)
    this.#take(ended ? 1 : 2, 'code')
  }

  #take(length: number, kind: 'code' | 'text' | 'comment'): void {
    const piece = this.#text.slice(this.#position, this.#position + length)
    const blank = piece.replace(/[^\n]/g, ' ')
    this.#result.withoutComments += kind === 'comment' ? blank : piece
    this.#result.code += kind === 'code' ? piece : blank
    this.#position += length
  }

  #lastCode(): string {
    return this.#result.code.trimEnd().slice(-12)
  }

  #lengthOf(sticky: RegExp): number {
    sticky.lastIndex = this.#position
    return sticky.exec(this.#text)?.[0].length ?? 0
  }
}
