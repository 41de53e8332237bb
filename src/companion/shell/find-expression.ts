import { checkValue, type Place } from './check-value.ts'
import type { ValueKind } from './grammar.ts'
import { type Checked, wrong } from './problem.ts'
import type { Word } from './read-arguments.ts'

interface Primary {
  readonly value?: ValueKind
  /** What the value must look like. */
  readonly shape?: RegExp
}

/** What an expression of find may be made of: it compares and prints, and neither runs, writes nor deletes. */
const PRIMARIES: ReadonlyMap<string, Primary> = new Map([
  ...primaries(
    '( ) ! -not -a -and -o -or -print -print0 -prune -ls -empty -true -false -depth -xdev -mount',
    {},
  ),
  ...primaries('-readable -writable -executable', {}),
  ...primaries('-name -iname -path -ipath -wholename -regex -iregex -user -group -newermt', {
    value: 'text',
  }),
  ...primaries('-size -mtime -mmin -ctime -cmin -atime -amin -maxdepth -mindepth -links', { value: 'count' }),
  ...primaries('-newer', { value: 'path' }),
  ...primaries('-type', { value: 'text', shape: /^[fdlbcps](?:,[fdlbcps])*$/ }),
  ...primaries('-perm', { value: 'text', shape: /^[-/]?(?:[0-7]{1,4}|[ugoa]*[+=-][rwxst]*)$/ }),
])

function primaries(names: string, primary: Primary): (readonly [string, Primary])[] {
  return names.split(' ').map((name) => [name, primary] as const)
}

/** The words behind `find`: the paths, then the expression. Links are not followed (`-P`). */
export async function arrangeFind(words: readonly Word[], place: Place): Promise<Checked<string[]>> {
  const started = words.findIndex(({ text: word }) => /^(?:-|[()!]$)/.test(word))
  const paths = words.slice(0, started < 0 ? words.length : started)
  for (const word of paths) {
    const checked = await checkValue('path', word, place)
    if ('problem' in checked) return checked
  }
  const expression = await readExpression(words.slice(paths.length), place)
  if ('problem' in expression) return expression
  const named = paths.map(({ text: word }) => word)
  // A name such as `,` or `)x` in front of a path could be read as an expression.
  const safe = named.map((name) => (/^[\w./]/.test(name) ? name : `./${name}`))
  return { value: ['-P', ...(safe.length > 0 ? safe : ['.']), ...expression.value] }
}

async function readExpression(words: readonly Word[], place: Place): Promise<Checked<string[]>> {
  const { program } = place
  for (let at = 0; at < words.length; at += 1) {
    const { text: name, position } = words[at] as Word
    const primary = PRIMARIES.get(name)
    if (primary === undefined) {
      return wrong('unknownFlag', name, { position, program, instead: [...PRIMARIES.keys()].join(' ') })
    }
    if (primary.value === undefined) continue
    at += 1
    const value = words[at]
    if (value === undefined) return wrong('missingValue', name, { position, program })
    if (primary.shape && !primary.shape.test(value.text)) {
      return wrong('unknownValue', value.text, { position: value.position, program: `find ${name}` })
    }
    const checked = await checkValue(primary.value, value, place)
    if ('problem' in checked) return checked
  }
  return { value: words.map(({ text: word }) => word) }
}
