import { CLOSURE_RULES } from './architecture-rules.ts'
import { checkCode } from './check-code.ts'
import { checkClosure, checkCycles } from './check-cycles.ts'
import { checkImports, type ProjectFacts } from './check-imports.ts'
import { readSourceFiles } from './source-file.ts'

/**
 * Everything that breaks the rules of the source layout, as `path:line what is wrong`.
 * `files` maps each path from the root (`src/…`) to its text.
 */
export function checkArchitecture(files: ReadonlyMap<string, string>, facts: ProjectFacts): string[] {
  const sources = readSourceFiles(files)
  return [
    ...sources.flatMap((source) => [...checkImports(source, facts), ...checkCode(source)]),
    ...checkCycles(sources),
    ...CLOSURE_RULES.flatMap(({ from, without }) => checkClosure(sources, from, without)),
  ]
}
