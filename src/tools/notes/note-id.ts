import { digest } from '../../tool/fingerprint.ts'
import { foldPath } from './note-path.ts'

const maxSlugLength = 32

/**
 * The file name of a note: letters, digits and hyphens only, at most 97 of them, so that any engine and file system
 * takes it. The readable part is for developers; the digest of the path tells notes apart.
 */
export async function noteId(path: string): Promise<string> {
  const slug = foldPath(path)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
  return `${slug}-${await digest(path)}`
}
