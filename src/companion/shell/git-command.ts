import { arrange } from './arrange.ts'
import type { Place } from './check-value.ts'
import { gitGrammars } from './git-grammars.ts'
import { type Checked, wrong } from './problem.ts'
import { readArguments, type Word } from './read-arguments.ts'

/** A git command in one fixed order, and the folder in which it runs. */
export interface GitCommand {
  readonly words: readonly string[]
  readonly folder: string
}

/** Options before the sub-command that change nothing here: they are always on. */
const ALWAYS_ON = ['--no-pager', '--no-optional-locks', '--literal-pathspecs']

/**
 * The words behind `git`. Of the options before the sub-command only those that are always on are taken, and `-C` with
 * one of the roots: the others name programs, settings or other folders.
 */
export async function arrangeGit(words: readonly Word[], place: Place): Promise<Checked<GitCommand>> {
  const front = await readFront(words, place)
  if ('problem' in front) return front
  const { folder, rest } = front.value
  const [name, ...after] = rest
  const known = Object.keys(gitGrammars).join(', ')
  if (name === undefined) return wrong('noSubCommand', 'git', { instead: known })
  const grammar = Object.hasOwn(gitGrammars, name.text) ? gitGrammars[name.text] : undefined
  if (grammar === undefined)
    return wrong('unknownSubCommand', name.text, { position: name.position, instead: known })
  const program = `git ${name.text}`
  const given = readArguments(after, grammar, program)
  if ('problem' in given) return given
  const arranged = await arrange(given.value, grammar, { ...place, folder, program })
  if ('problem' in arranged) return arranged
  return { value: { words: [...ALWAYS_ON, name.text, ...arranged.value], folder } }
}

interface Front {
  readonly folder: string
  readonly rest: readonly Word[]
}

async function readFront(words: readonly Word[], place: Place): Promise<Checked<Front>> {
  let { folder } = place
  for (let at = 0; at < words.length; at += 1) {
    const { text, position } = words[at] as Word
    if (!text.startsWith('-')) return { value: { folder, rest: words.slice(at) } }
    if (ALWAYS_ON.includes(text)) continue
    const named = words[at + 1]
    if (text !== '-C' || named === undefined) {
      return wrong('globalOption', text, { position, program: 'git', instead: place.roots.folders.join(' ') })
    }
    const root = await place.roots.rootAt(named.text, folder)
    if (root === undefined) {
      const instead = place.roots.folders.join(' ')
      return wrong('noRoot', named.text, { position: named.position, program: 'git -C', instead })
    }
    folder = root
    at += 1
  }
  return { value: { folder, rest: [] } }
}
