import { type Checked, wrong } from './problem.ts'

/** Most characters of a command. */
export const MAX_COMMAND_CHARS = 16_384

/** Most bytes of all words of a command together. */
export const MAX_ARGV_BYTES = 65_536

const OPERATORS = '|&;<>()\n\r'

/**
 * Splits a command into words as a POSIX shell does with plain words and quotes, and refuses whatever a shell would do
 * more with: no word ever means something else than its characters. There are no comments: `#` is a plain character.
 */
export function splitCommand(command: string): Checked<string[]> {
  if (command.length > MAX_COMMAND_CHARS)
    return wrong('tooLong', `${command.length} characters`, { instead: `${MAX_COMMAND_CHARS} characters` })
  const unsendable = /\0|\p{Surrogate}/u.exec(command)
  if (unsendable) return wrong('unsendable', unsendable[0], { position: unsendable.index + 1 })
  const reader: Reader = { text: command.trim(), offset: command.length - command.trimStart().length, at: 0 }
  const words: string[] = []
  while (skipBlanks(reader)) {
    const word = readWord(reader)
    if ('problem' in word) return word
    words.push(word.value)
  }
  return words.length > 0 ? { value: words } : wrong('empty', '')
}

interface Reader {
  readonly text: string
  /** How many characters of the command were cut off in front. */
  readonly offset: number
  at: number
}

function skipBlanks(reader: Reader): boolean {
  while (/[ \t]/.test(reader.text[reader.at] ?? '')) reader.at += 1
  return reader.at < reader.text.length
}

function readWord(reader: Reader): Checked<string> {
  const start = reader.at
  let word = ''
  while (reader.at < reader.text.length) {
    const sign = reader.text[reader.at] ?? ''
    if (sign === ' ' || sign === '\t') break
    const part = readPart(reader, sign, reader.at === start)
    if ('problem' in part) return part
    word += part.value
  }
  return { value: word }
}

function readPart(reader: Reader, sign: string, first: boolean): Checked<string> {
  if (sign === "'") return readSingleQuotes(reader)
  if (sign === '"') return readDoubleQuotes(reader)
  if (sign === '\\') return readEscape(reader)
  if (OPERATORS.includes(sign)) return at(reader, 'operator', operatorAt(reader))
  const expansion = expansionAt(reader, first)
  if (expansion !== undefined) return at(reader, 'expansion', expansion)
  const next = /^[^\s'"\\|&;<>()$`*?[{]+/u.exec(reader.text.slice(reader.at))?.[0] ?? sign
  reader.at += next.length
  return { value: next }
}

function at(
  reader: Reader,
  code: 'operator' | 'expansion' | 'unclosedQuote' | 'strayBackslash',
  found: string,
) {
  return wrong(code, found, { position: reader.offset + reader.at + 1 })
}

/** The operator with what a person sees as one: `&&`, `>>`, `2>`. */
function operatorAt({ text, at: from }: Reader): string {
  const found = /^[|&;<>()]+|^[\n\r]+/.exec(text.slice(from))?.[0] ?? ''
  return /[\n\r]/.test(found) ? found : found.slice(0, 3)
}

/** What a shell would put something else in the place of, outside of quotes. */
function expansionAt({ text, at: from }: Reader, first: boolean): string | undefined {
  const rest = text.slice(from)
  // `=cmd` is the path of a command in zsh, and `~` a home folder.
  const always = /^(?:\$[\w{(@*#?!$'"[-]|`|[*?[])[^\s]*/.exec(rest)?.[0]
  const braces = /^\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}?/.exec(rest)?.[0]
  const atStart = first ? /^(?:~|=\w)[^\s]*/.exec(rest)?.[0] : undefined
  return always ?? braces ?? atStart
}

function readSingleQuotes(reader: Reader): Checked<string> {
  const end = reader.text.indexOf("'", reader.at + 1)
  if (end < 0) return at(reader, 'unclosedQuote', "'")
  const value = reader.text.slice(reader.at + 1, end)
  reader.at = end + 1
  return { value }
}

function readDoubleQuotes(reader: Reader): Checked<string> {
  const opened = reader.at
  let value = ''
  reader.at += 1
  for (;;) {
    const rest = reader.text.slice(reader.at)
    const plain = /^[^"\\$`]+/.exec(rest)?.[0] ?? ''
    value += plain
    reader.at += plain.length
    const sign = reader.text[reader.at]
    if (sign === undefined) return at({ ...reader, at: opened }, 'unclosedQuote', '"')
    if (sign === '"') break
    if (sign === '\\') value += escapedInQuotes(reader)
    else if (sign === '`' || /^\$[\w{(@*#?!$[-]/.test(reader.text.slice(reader.at)))
      return at(reader, 'expansion', /^[^\s"]+/.exec(reader.text.slice(reader.at))?.[0] ?? sign)
    else {
      value += sign
      reader.at += 1
    }
  }
  reader.at += 1
  return { value }
}

/** In double quotes a backslash stands for itself, except before these. */
function escapedInQuotes(reader: Reader): string {
  const next = reader.text[reader.at + 1] ?? ''
  const taken = next !== '' && '"\\$`\n'.includes(next)
  reader.at += taken ? 2 : 1
  if (!taken) return '\\'
  return next === '\n' ? '' : next
}

function readEscape(reader: Reader): Checked<string> {
  const next = reader.text.slice(reader.at + 1).match(/^[\s\S]/u)?.[0]
  if (next === undefined) return at(reader, 'strayBackslash', '\\')
  reader.at += 1 + next.length
  return { value: next === '\n' ? '' : next }
}
