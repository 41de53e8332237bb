import { noteId } from './note-id.ts'
import { isInside } from './note-path.ts'

// A note's path stands in the first line of its file only. The file's name is made from the path, but not back.

const folder = 'recovered/'
const fileName = /^[a-z0-9-]{0,32}-[0-9a-f]{64}$/

/** The path by which a note is known whose own path the storage has damaged; undefined when that is no note's file. */
export async function recoveredPath(name: string, firstLine: string): Promise<string | undefined> {
  if (!fileName.test(name)) return undefined
  const told = /"path":("(?:[^"\\]|\\.)*")/.exec(firstLine)?.[1]
  const path = told === undefined ? undefined : parseText(told)
  // The name of the file says whether it is the right one.
  return path !== undefined && (await noteId(path)) === name ? path : folder + name
}

/** The file that such a path stands for; undefined for the path of any other note. */
export function recoveredName(path: string): string | undefined {
  const name = path.startsWith(folder) ? path.slice(folder.length) : ''
  return fileName.test(name) ? name : undefined
}

/** Whether a path is one of the protected, or may be: of a note whose path is lost nobody knows. */
export function isProtected(path: string, protectedPaths: readonly string[]): boolean {
  return protectedPaths.length > 0 && (recoveredName(path) !== undefined || isInside(path, protectedPaths))
}

function parseText(json: string): string | undefined {
  try {
    return JSON.parse(json) as string
  } catch {
    return undefined
  }
}
