import type { NoteProblem, PathReason } from './note-error.ts'

/** Most characters (UTF-16 units) of a path. */
export const maxPathLength = 200

/** Most bytes of one name in UTF-8: file systems take 255, and an export may add `.md`. */
const maxNameBytes = 240

// What Windows refuses in file names, what cannot be seen, and what would break a line. The two joiners stay: some
// scripts and emoji need them.
const badCharacter = /[<>:"|?*\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u

// https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file: with any extension, and in any case.
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)\s*(?:\.|$)/

/** A path that a note may have, or why not. */
export type ReadPath = { readonly path: string } | { readonly problem: NoteProblem }

/**
 * Reads the path of a note: relative, with `/` between names, such as `work/ideas.md`.
 *
 * - Nothing is decoded or resolved: `%2e` is a name with a per cent sign, and `..` is refused.
 * - The letters of `é` may be composed or not: a path is brought into Unicode's form NFC, so that both are one note.
 * - Case counts: `A.md` and `a.md` are two notes.
 * - Refused, all with the code `note-path`: absolute paths, drives, UNC paths and addresses, backslashes, `~`, empty
 *   names, names that begin or end with a dot or a space, device names of Windows, the characters `< > : " | ? *`,
 *   controls and characters that cannot be seen, and what is too long.
 */
export function readNotePath(given: string): ReadPath {
  // First, so that nothing else is done with a text of any length.
  if (given.length === 0 || given.length > maxPathLength) return refuse(given, 'length', '')
  const path = given.normalize('NFC')
  if (path.length > maxPathLength) return refuse(path, 'length', '')
  const names = path.split('/')
  if (path.startsWith('~') || names.some((name) => /^\.{0,2}$/.test(name))) return refuse(path, 'form', '')
  const bad = badCharacter.exec(path)
  if (bad !== null) return refuse(path, bad[0] === '\\' ? 'form' : 'character', bad[0])
  for (const name of names) {
    if (/^[.\s]|[.\s]$/u.test(name) || deviceName.test(foldPath(name))) return refuse(path, 'name', name)
    if (new TextEncoder().encode(name).length > maxNameBytes) return refuse(path, 'length', name)
  }
  return { path }
}

/**
 * A path with all that some file systems do not tell apart made alike: case, composed letters, letters of another
 * width. Two paths with one folded form may be one file there.
 */
export function foldPath(path: string): string {
  // Up and down again: `ß` and `ss`, and the two small sigmas, are alike then.
  return path.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
}

/** Whether a path is one of the others or in one of them, whatever the case of the letters. */
export function isInside(path: string, others: readonly string[]): boolean {
  const names = `${foldPath(path)}/`
  return others.some((other) => names.startsWith(`${foldPath(other.replace(/\/+$/, ''))}/`))
}

function refuse(path: string, reason: PathReason, found: string): ReadPath {
  return { problem: { code: 'note-path', path, reason, found } }
}
