import { checkFlag, checkValue, type Place } from './check-value.ts'
import type { Grammar, ValueKind } from './grammar.ts'
import { type Checked, wrong } from './problem.ts'
import type { GivenArguments, Word } from './read-arguments.ts'

/**
 * The arguments in one fixed order, so that a program cannot read them otherwise than these rules did: the flags that
 * are always there, the given ones, a pattern, commits, `--`, paths. Every value and operand is checked on the way.
 */
export async function arrange(
  given: GivenArguments,
  grammar: Grammar,
  place: Place,
): Promise<Checked<string[]>> {
  const alone = given.flags.some(({ name }) => name === grammar.alone)
  const words = alone ? [] : [...(grammar.always ?? [])]
  for (const flag of given.flags) {
    const checked = await checkFlag(flag, place)
    if ('problem' in checked) return checked
    words.push(...checked.value)
  }
  const counted = countOperands(given, grammar, place.program)
  if ('problem' in counted) return counted
  const sorted = await sortOperands(given, grammar, place)
  if ('problem' in sorted) return sorted
  const { front, behind } = sorted.value
  const usual = given.operands.length === 0 && grammar.usual !== undefined ? [grammar.usual] : []
  const end = grammar.ends === false ? [] : ['--']
  return { value: [...words, ...front, ...usual, ...end, ...behind] }
}

function countOperands(
  { flags, operands }: GivenArguments,
  grammar: Grammar,
  program: string,
): Checked<true> {
  const { kinds, most = Number.POSITIVE_INFINITY, onlyWith, shape } = grammar.operands
  const [first] = operands
  if (first && onlyWith && !flags.some(({ name }) => onlyWith.includes(name))) {
    return wrong('onlyWith', first.text, { position: first.position, program, instead: onlyWith[0] ?? '' })
  }
  const limit = kinds === 'none' ? 0 : most
  const needless = operands.find(({ text }, at) => at >= limit || !(shape?.test(text) ?? true))
  if (needless === undefined) return { value: true }
  return wrong('needlessWord', needless.text, { position: needless.position, program })
}

interface Sorted {
  readonly front: readonly string[]
  readonly behind: readonly string[]
}

async function sortOperands(given: GivenArguments, grammar: Grammar, place: Place): Promise<Checked<Sorted>> {
  const { kinds } = grammar.operands
  const rest = [...given.operands]
  const front: string[] = []
  if (kinds.startsWith('pattern') && !given.flags.some(({ name }) => name === '-e' || name === '--regexp')) {
    const pattern = rest.shift()
    if (pattern === undefined) return wrong('noPattern', place.program, { program: place.program })
    front.push('-e', pattern.text)
  }
  const commits = kinds === 'commits' ? rest.length : kinds.endsWith('revisions') ? await countCommits() : 0
  const sorted = [rest.splice(0, commits), rest] as const
  const checked = await checkAll(sorted[0], 'revision', place)
  if ('problem' in checked) return checked
  const behind = await checkAll(sorted[1], kinds === 'text' ? 'text' : 'path', place)
  if ('problem' in behind) return behind
  return { value: { front: [...front, ...checked.value], behind: behind.value } }

  /** Commits stand before `--`; without it, before the first word that is a path of its own, as git has it. */
  async function countCommits(): Promise<number> {
    if (given.before !== undefined) return Math.max(0, given.before - (given.operands.length - rest.length))
    for (const [at, { text }] of rest.entries()) {
      const found = await place.roots.check(text, place.folder)
      if ('problem' in found || found.value !== 'missing') return at
    }
    return rest.length
  }
}

async function checkAll(words: readonly Word[], kind: ValueKind, place: Place): Promise<Checked<string[]>> {
  for (const word of words) {
    const checked = await checkValue(kind, word, place)
    if ('problem' in checked) return checked
  }
  return { value: words.map(({ text }) => text) }
}
