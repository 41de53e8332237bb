import { FOLDER_RULES, isIn, NODE_PLACES, PACKAGE_PLACES } from './architecture-rules.ts'
import type { ImportLine, SourceFile } from './source-file.ts'

/** What the project declares about itself. */
export interface ProjectFacts {
  /** Paths, from the root, of the sources of the entry points. */
  entries: ReadonlySet<string>
  /** Names of the packages that the sources may import. */
  packages: ReadonlySet<string>
}

/** What is wrong with one file's imports; each message begins with `path:line`. */
export function checkImports(source: SourceFile, facts: ProjectFacts): string[] {
  const at = ({ line }: ImportLine, complaint: string) => `${source.path}:${line} ${complaint}`
  const ownRules = facts.entries.has(source.path) || !/(^|\/)index\.ts$/.test(source.path)
  const barrel = ownRules
    ? []
    : [`${source.path}:1 is an index file but no entry point: import files directly`]
  const found = source.imports.flatMap((line) => {
    const complaint = checkForm(source, line, facts) ?? checkTarget(source, line, facts)
    return complaint === undefined ? [] : [at(line, complaint)]
  })
  return [...barrel, ...found]
}

function checkForm(source: SourceFile, line: ImportLine, { entries }: ProjectFacts): string | undefined {
  if (line.reExport && line.star) return `exports everything of '${line.specifier}': name what is exported`
  if (line.reExport && !entries.has(source.path)) {
    return `passes on '${line.specifier}': only entry files re-export`
  }
  if (line.file !== undefined && !line.file.endsWith('.ts')) return `imports '${line.specifier}' without .ts`
  return undefined
}

function checkTarget(source: SourceFile, line: ImportLine, facts: ProjectFacts): string | undefined {
  if (line.file === undefined) return checkPackage(source, line.specifier, facts)
  if (facts.entries.has(line.file))
    return `imports the entry file ${line.file}: import the file that defines it`
  return checkDirection(source, line, line.file)
}

function checkPackage(
  { name }: SourceFile,
  specifier: string,
  { packages }: ProjectFacts,
): string | undefined {
  if (specifier.startsWith('node:')) {
    return isIn(NODE_PLACES, name)
      ? undefined
      : `imports '${specifier}': only ${NODE_PLACES.join()} runs in Node`
  }
  const owner = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (!packages.has(owner)) return `imports '${specifier}', which is no dependency in package.json`
  const places = PACKAGE_PLACES[owner]
  if (places === undefined || isIn(places, name)) return undefined
  return `imports '${specifier}': only ${places.join(' and ')} may`
}

function checkDirection(source: SourceFile, line: ImportLine, file: string): string | undefined {
  const rule = FOLDER_RULES[source.folder]
  if (rule === undefined) return `is in a folder, '${source.folder}', that the design does not name`
  if (!file.startsWith('src/')) return `imports '${line.specifier}', which is outside src`
  const target = file.split('/').length > 2 ? (file.split('/')[1] ?? '') : ''
  if (target === source.folder || rule.runTime.includes(target)) return undefined
  const typesAllowed = rule.types?.includes(target) ?? false
  if (typesAllowed && line.typeOnly) return undefined
  const how = typesAllowed ? 'with import type only' : `not from '${source.folder || 'src'}'`
  return `imports '${line.specifier}': '${target || 'src'}' may be imported ${how}`
}
