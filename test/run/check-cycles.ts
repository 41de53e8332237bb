import type { SourceFile } from './source-file.ts'

/** Circles of imports that exist at run time; each message names every file of the circle once. */
export function checkCycles(sources: readonly SourceFile[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const finished = new Set<string>()
  const found: string[] = []
  const visit = (source: SourceFile, trail: readonly string[]) => {
    if (finished.has(source.path)) return
    for (const { file, line } of runTimeImports(source)) {
      const start = [...trail, source.path].indexOf(file)
      const next = byPath.get(file)
      if (start >= 0) {
        const circle = [...[...trail, source.path].slice(start), file]
        found.push(`${source.path}:${line} closes a circle of imports: ${circle.join(' -> ')}`)
      } else if (next !== undefined) visit(next, [...trail, source.path])
    }
    finished.add(source.path)
  }
  for (const source of sources) visit(source, [])
  return found
}

/**
 * What a file loads at run time but must not: each message names the chain of files that leads to it.
 * A file that does not exist loads nothing.
 */
export function checkClosure(
  sources: readonly SourceFile[],
  from: string,
  without: readonly string[],
): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const seen = new Set<string>()
  const visit = (path: string, trail: readonly string[]): string[] => {
    const source = byPath.get(path)
    if (source === undefined || seen.has(path)) return []
    seen.add(path)
    const chain = [...trail, path]
    const own = source.imports
      .filter(({ specifier, typeOnly }) => !typeOnly && without.some((name) => isOf(specifier, name)))
      .map(
        ({ specifier, line }) =>
          `${path}:${line} loads '${specifier}', which ${from} must not: ${chain.join(' -> ')}`,
      )
    return [...own, ...runTimeImports(source).flatMap(({ file }) => visit(file, chain))]
  }
  return visit(from, [])
}

function isOf(specifier: string, packageName: string): boolean {
  return specifier === packageName || specifier.startsWith(`${packageName}/`)
}

function runTimeImports(source: SourceFile): { file: string; line: number }[] {
  return source.imports.flatMap(({ file, line, typeOnly }) =>
    typeOnly || file === undefined ? [] : [{ file, line }],
  )
}
