import { posix } from 'node:path'
import { lineAt, readSourceText } from './source-text.ts'

/** One import or re-export of a source file. */
export interface ImportLine {
  /** As written. */
  specifier: string
  /** Path of the imported source from the root, or undefined for a package. */
  file: string | undefined
  /** Whether it is gone at run time: `import type`, `export type`, `typeof import()`. */
  typeOnly: boolean
  /** Whether it is an `export … from`. */
  reExport: boolean
  /** Whether it takes or gives everything: `*`. */
  star: boolean
  /** From 1. */
  line: number
}

/** A source file, read once for all rules. */
export interface SourceFile {
  /** From the root, with `/`: `src/tool/tool.ts`. */
  path: string
  /** Below `src/`: `tool/tool.ts`. */
  name: string
  /** First folder below `src/`, or `''` for a file right in it. */
  folder: string
  text: string
  /** The text with blanks for comments and for the inside of strings. */
  code: string
  imports: readonly ImportLine[]
}

/** Reads files, given as path from the root and text. */
export function readSourceFiles(files: ReadonlyMap<string, string>): SourceFile[] {
  return [...files].map(([path, text]) => {
    const { code, withoutComments } = readSourceText(text)
    const name = path.replace(/^src\//, '')
    const folder = name.includes('/') ? name.slice(0, name.indexOf('/')) : ''
    return { path, name, folder, text, code, imports: readImports(path, code, withoutComments) }
  })
}

const STATIC =
  /\b(import|export)\s+(type\s+(?!from\b|,))?(?:[\w$]+\s*,?\s*)?(\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})?\s*\bfrom\s*(['"])([^'"\n]+)\4/g
const BARE_OR_DYNAMIC = /(\btypeof\s+)?\bimport\s*\(?\s*(['"])([^'"\n]+)\2/g

function readImports(path: string, code: string, withoutComments: string): ImportLine[] {
  const toImport = (index: number, specifier: string): Omit<ImportLine, 'typeOnly'> => ({
    specifier,
    file: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined,
    reExport: false,
    star: false,
    line: lineAt(code, index),
  })
  // A word that is blank in the code stands inside a string.
  const matches = (pattern: RegExp) =>
    [...withoutComments.matchAll(pattern)].filter(({ index }) => code.charAt(index).trim() !== '')
  const found = matches(STATIC).map((match) => ({
    ...toImport(match.index, match[5] ?? ''),
    typeOnly: match[2] !== undefined,
    reExport: match[1] === 'export',
    star: match[3]?.startsWith('*') ?? false,
  }))
  const others = matches(BARE_OR_DYNAMIC).map((match) => ({
    ...toImport(match.index, match[3] ?? ''),
    typeOnly: match[1] !== undefined,
  }))
  return [...found, ...others].sort((a, b) => a.line - b.line)
}
