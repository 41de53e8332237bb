import type { Flag, Grammar } from './grammar.ts'
import { type Checked, wrong } from './problem.ts'

/** A word of a command with its place in it, counted from 1. */
export interface Word {
  readonly text: string
  readonly position: number
}

/** A flag of the table, as it was given. */
export interface GivenFlag {
  readonly name: string
  readonly flag: Flag
  readonly value?: Word
}

/** The words behind a program's name, told apart. */
export interface GivenArguments {
  readonly flags: readonly GivenFlag[]
  readonly operands: readonly Word[]
  /** How many operands stood before `--`; absent without one. */
  readonly before?: number
}

/**
 * Tells flags, their values and operands apart, for programs that read them as getopt_long does. Each flag must be in
 * the table in just that spelling: shortened names are refused, since a program may take them for another flag.
 */
export function readArguments(
  words: readonly Word[],
  grammar: Grammar,
  program: string,
): Checked<GivenArguments> {
  const given: GivenFlag[] = []
  const operands: Word[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word
    if (word.text === '--' && grammar.ends !== false) {
      const rest = words.slice(at + 1)
      return { value: { flags: given, operands: [...operands, ...rest], before: operands.length } }
    }
    if (!word.text.startsWith('-') || word.text === '-') {
      operands.push(word)
      continue
    }
    const read = readFlags(word, words[at + 1], grammar, program)
    if ('problem' in read) return read
    given.push(...read.value.flags)
    if (read.value.tookNext) at += 1
  }
  return { value: { flags: given, operands } }
}

interface ReadFlags {
  readonly flags: readonly GivenFlag[]
  readonly tookNext: boolean
}

function readFlags(
  word: Word,
  next: Word | undefined,
  grammar: Grammar,
  program: string,
): Checked<ReadFlags> {
  const number = /^-(\d+)$/.exec(word.text)?.[1]
  const numbered = grammar.number === undefined ? undefined : grammar.flags.get(grammar.number)
  if (number !== undefined && numbered !== undefined && !grammar.flags.has(word.text)) {
    const value = { text: number, position: word.position }
    return { value: { flags: [{ name: grammar.number ?? '', flag: numbered, value }], tookNext: false } }
  }
  return word.text.startsWith('--')
    ? readLong(word, next, grammar, program)
    : readShort(word, next, grammar, program)
}

function readLong(word: Word, next: Word | undefined, grammar: Grammar, program: string): Checked<ReadFlags> {
  const [name = '', ...values] = word.text.split('=')
  const flag = grammar.flags.get(name)
  if (flag === undefined) return unknownFlag(name, word, grammar, program)
  const glued = values.length > 0 ? values.join('=') : undefined
  return withValue(name, flag, glued, word, next, program)
}

/** One letter, or several joined, of which the last may take a value: `-n`, `-la`, `-n5`, `-ln5`. */
function readShort(
  word: Word,
  next: Word | undefined,
  grammar: Grammar,
  program: string,
): Checked<ReadFlags> {
  const given: GivenFlag[] = []
  for (let at = 1; at < word.text.length; at += 1) {
    const name = `-${word.text[at]}`
    const flag = grammar.flags.get(name)
    const joined = word.text.length > 2
    if (flag === undefined) return unknownFlag(joined ? word.text : name, word, grammar, program)
    const rest = word.text.slice(at + 1)
    if (flag.value !== undefined) {
      const last = withValue(name, flag, rest === '' ? undefined : rest, word, next, program)
      if ('problem' in last) return last
      return { value: { flags: [...given, ...last.value.flags], tookNext: last.value.tookNext } }
    }
    if (rest !== '' && !grammar.joined) return unknownFlag(word.text, word, grammar, program)
    given.push({ name, flag })
  }
  return { value: { flags: given, tookNext: false } }
}

function withValue(
  name: string,
  flag: Flag,
  glued: string | undefined,
  word: Word,
  next: Word | undefined,
  program: string,
): Checked<ReadFlags> {
  const { position } = word
  if (flag.value === undefined) {
    if (glued !== undefined) return wrong('needlessValue', word.text, { position, program, instead: name })
    return { value: { flags: [{ name, flag }], tookNext: false } }
  }
  if (glued !== undefined) {
    return { value: { flags: [{ name, flag, value: { text: glued, position } }], tookNext: false } }
  }
  if (flag.optional) return { value: { flags: [{ name, flag }], tookNext: false } }
  if (next === undefined && flag.usual !== undefined) {
    return { value: { flags: [{ name, flag, value: { text: flag.usual, position } }], tookNext: false } }
  }
  if (next === undefined) return wrong('missingValue', name, { position, program })
  return { value: { flags: [{ name, flag, value: next }], tookNext: true } }
}

function unknownFlag(found: string, word: Word, grammar: Grammar, program: string) {
  const long = [...grammar.flags.keys()].filter((name) => name.startsWith('--') && name.startsWith(found))
  const instead =
    found.startsWith('--') && found.length > 3 && long.length > 0 ? long : [...grammar.flags.keys()]
  return wrong('unknownFlag', found, { position: word.position, program, instead: instead.join(' ') })
}
