import { posix } from 'node:path'
import { readSourceText } from './source-text.ts'

/** One name that an entry file gives to users. */
export interface PublicName {
  name: string
  /** Whether it is a type alone, and so gone at run time. */
  typeOnly: boolean
  /** Path, from the root, of the file that defines it. */
  file: string
  /** Its name there. */
  localName: string
}

const NAMED = /\bexport\s+(type\s+)?\{([^}]*)\}(?:\s*from\s*'([^']+)')?/g
const DECLARED =
  /\bexport\s+(?:declare\s+|abstract\s+|async\s+)*(function\*?|class|const|let|interface|type)\s+([\w$]+)/g

/** The names that an entry file exports, in its order. `path` is its path from the root. */
export function readPublicNames(path: string, text: string): PublicName[] {
  const { withoutComments } = readSourceText(text)
  const named = [...withoutComments.matchAll(NAMED)].flatMap(([, allTypes, list = '', specifier]) => {
    const file = specifier === undefined ? path : posix.join(posix.dirname(path), specifier)
    return list
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map((item) => {
        const [localName = '', name = localName] = item.replace(/^type\s+/, '').split(/\s+as\s+/)
        return { name, typeOnly: allTypes !== undefined || /^type\s/.test(item), file, localName }
      })
  })
  const declared = [...withoutComments.matchAll(DECLARED)].map(([, kind, name = '']) => {
    return { name, typeOnly: kind === 'interface' || kind === 'type', file: path, localName: name }
  })
  return [...named, ...declared]
}

/**
 * Whether a file documents a name that it defines: a doc comment stands right above the first definition of each
 * kind (a type and a value may share a name). Undefined if the file does not define it.
 */
export function isDocumented(text: string, localName: string): boolean | undefined {
  const words = '(?:declare\\s+|abstract\\s+|async\\s+)*(function\\*?|class|const|let|interface|type)'
  const definition = new RegExp(
    `^(?:export\\s+)?${words}\\s+${localName.replaceAll('$', '\\$')}(?![\\w$])`,
    'gm',
  )
  const { code } = readSourceText(text)
  const firstOfKind = new Map<string, number>()
  for (const { index, 1: kind = '' } of code.matchAll(definition)) {
    if (!firstOfKind.has(kind)) firstOfKind.set(kind, index)
  }
  if (firstOfKind.size === 0) return undefined
  return [...firstOfKind.values()].every((index) => endsWithDocComment(text.slice(0, index)))
}

function endsWithDocComment(before: string): boolean {
  // A line comment may stand between the two: an instruction to the linter.
  const text = before.replace(/(?:\s*\/\/[^\n]*\n)*\s*$/, '')
  return text.endsWith('*/') && text.slice(text.lastIndexOf('/*')).startsWith('/**')
}
