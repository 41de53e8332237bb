import { DOM_PLACES, FOLDER_RULES, isIn, MAX_FILE_LINES, STORAGE_PLACES } from './architecture-rules.ts'
import type { SourceFile } from './source-file.ts'
import { lineAt } from './source-text.ts'

const WINDOW_NAMES = [
  ...['window', 'document', 'navigator', 'customElements', 'localStorage', 'sessionStorage', 'indexedDB'],
  ...['requestAnimationFrame', 'cancelAnimationFrame', 'matchMedia', 'getComputedStyle', 'ShadowRoot'],
  ...[
    'HTML\\w*Element',
    'SVG\\w*Element',
    'DocumentFragment',
    'CSSStyleSheet',
    'DOMParser',
    'XMLHttpRequest',
  ],
  ...['MutationObserver', 'ResizeObserver', 'IntersectionObserver'],
].join('|')
// These are common words too, so they count only when they are read from the global object.
const AMBIGUOUS_NAMES = 'location|history|screen|alert|confirm|prompt|open|Node|Element|Document'

// A name after a dot is a property, unless the dot follows the global object or is the last of a spread.
const WINDOW_USE = new RegExp(
  `(?<![\\w$#]|(?<!\\b(?:globalThis|self|window)|\\.\\.)\\.)(?:${WINDOW_NAMES})(?![\\w$])` +
    `|(?<=\\b(?:globalThis|self|window)\\.)(?:${AMBIGUOUS_NAMES})(?![\\w$])`,
  'g',
)
const NEW_WORKER = /\bnew\s+(?:globalThis\.|self\.)?(?:Shared)?Worker\b/g
const WORKER_ADDRESS = /\bnew\s+(?:Shared)?Worker\s*\(\s*new\s+URL\b/g
const STORAGE_USE = /\bindexedDB\b|\bIDB[A-Z]\w*|\bnavigator\s*\??\.\s*(?:storage|locks)\b/g
// Wherever a type may begin; a member named any is followed by a colon.
const ANY_TYPE =
  /(?<=(?:[:<|&,(=[]|=>)\s*|\b(?:as|extends|is|satisfies|keyof)\s+)\bany\b(?!\s*[:(.?]|\s*=[^>])/g
const DEFAULT_EXPORT = /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/g
const FILE_NAME = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/

/** What is wrong with one file's code; each message begins with `path:line`. */
export function checkCode(source: SourceFile): string[] {
  const { name, folder, text } = source
  const lines = text.replace(/\n$/, '').split('\n').length
  return [
    ...(folder in FOLDER_RULES ? [] : [`${source.path}:1 is in a folder that the design does not name`]),
    ...(FILE_NAME.test(name) ? [] : [`${source.path}:1 is not named in kebab case`]),
    ...(lines > MAX_FILE_LINES ? [`${source.path}:1 has ${lines} lines: at most ${MAX_FILE_LINES}`] : []),
    ...(isIn(DOM_PLACES, name) ? [] : checkWindow(source)),
    ...(isIn(STORAGE_PLACES, name)
      ? []
      : report(source, STORAGE_USE, 'is browser storage: only storage/ may touch it')),
    ...report(source, WORKER_ADDRESS, 'is not allowed: a worker file is the user’s own'),
    ...report(source, ANY_TYPE, 'is no type here: say what it is, or unknown'),
    ...report(source, DEFAULT_EXPORT, 'is not allowed: every export has a name'),
  ]
}

function checkWindow(source: SourceFile): string[] {
  const found = [
    ...report(source, WINDOW_USE, PAGE_ONLY, isMemberName),
    ...report(source, NEW_WORKER, PAGE_ONLY),
  ]
  return found.sort()
}

const PAGE_ONLY =
  'is only in a page: move it to one of DOM_PLACES, or choose another name for a local variable'

function report(
  { path, code }: SourceFile,
  pattern: RegExp,
  complaint: string,
  isHarmless: (code: string, position: number, word: string) => boolean = () => false,
): string[] {
  return [...code.matchAll(pattern)]
    .filter(({ index, 0: word }) => !isHarmless(code, index, word))
    .map(({ index, 0: word }) => `${path}:${lineAt(code, index)} '${word}' ${complaint}`)
}

// `{ document: 1 }` and `{ document?: string }`, but not `page ? document : undefined`.
function isMemberName(code: string, position: number, word: string): boolean {
  return /^\s*\??:/.test(code.slice(position + word.length)) && !/\?\s*$/.test(code.slice(0, position))
}
