import { foldPath } from './note-path.ts'

/** The file of an export that tells which notes have another name in the zip, and what their paths are. */
export const manifestName = 'offstage-notes.json'

/** A note's name in an export. */
export interface ExportName {
  readonly path: string
  /** Ends in `.md`. */
  readonly name: string
  /** Whether it has this name because another note would be the same file on some system. */
  readonly clashes: boolean
}

/**
 * Names for files that can be unpacked on any system without one overwriting another: each ends in `.md`, and a name
 * that another file or folder has, whatever its case, is put in a folder of its own.
 */
export function exportNames(paths: readonly string[]): readonly ExportName[] {
  const files = new Set([manifestName])
  const folders = new Set<string>()
  const take = (name: string): boolean => {
    const folded = foldPath(name)
    const parents = [...folded.matchAll(/\//g)].map(({ index }) => folded.slice(0, index))
    if (files.has(folded) || folders.has(folded) || parents.some((parent) => files.has(parent))) return false
    files.add(folded)
    for (const parent of parents) folders.add(parent)
    return true
  }
  return paths.map((path) => {
    const wanted = /\.md$/i.test(path) ? path : `${path}.md`
    if (take(wanted)) return { path, name: wanted, clashes: false }
    let number = 2
    while (!take(`renamed-${number}/${wanted}`)) number += 1
    return { path, name: `renamed-${number}/${wanted}`, clashes: true }
  })
}
