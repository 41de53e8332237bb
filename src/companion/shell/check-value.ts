import type { ValueKind } from './grammar.ts'
import { type Checked, wrong } from './problem.ts'
import type { GivenFlag, Word } from './read-arguments.ts'
import type { Roots } from './roots.ts'

/** Where a command is to run, what it may read, and what its program is called in a refusal. */
export interface Place {
  readonly folder: string
  readonly roots: Roots
  readonly program: string
}

/** Checks a word against a kind; given back as it is. */
export async function checkValue(kind: ValueKind, word: Word, place: Place): Promise<Checked<string>> {
  const { text, position } = word
  const { roots, folder, program } = place
  const where = { position, program }
  if (kind === 'count' && !/^[+-]?\d{1,12}[A-Za-z]{0,3}$/.test(text)) return wrong('noCount', text, where)
  // %G asks git to check a signature, and with that to run a program.
  if (kind === 'format' && text.includes('%G')) return wrong('runningFormat', text, where)
  if (kind === 'revision' && !isRevision(text)) return wrong('noRevision', text, where)
  if (kind !== 'path') return { value: text }
  const found = await roots.check(text, folder)
  return 'problem' in found ? { problem: { ...found.problem, ...where } } : { value: text }
}

/** Whether git can read this only as the name of a commit: no flag, and no path outside of the repository. */
function isRevision(text: string): boolean {
  return text !== '' && !/^(?:-|~|\/|\.\.?\/)|\p{Cc}/u.test(text)
}

/** A flag with its value as words for the program, once the value is checked. */
export async function checkFlag(given: GivenFlag, place: Place): Promise<Checked<string[]>> {
  const { name, flag, value } = given
  if (value === undefined || flag.value === undefined) return { value: [name] }
  const checked =
    typeof flag.value === 'string'
      ? await checkValue(flag.value, value, place)
      : checkChoice(flag.value, given, value, place.program)
  if ('problem' in checked) return checked
  if (name.startsWith('--')) return { value: [`${name}=${value.text}`] }
  return { value: flag.optional ? [`${name}${value.text}`] : [name, value.text] }
}

function checkChoice(
  choices: readonly string[],
  { name }: GivenFlag,
  { text, position }: Word,
  program: string,
): Checked<string> {
  if (choices.includes(text)) return { value: text }
  return wrong('unknownValue', text, { position, program: `${program} ${name}`, instead: choices.join(', ') })
}
