import { rename, writeFile } from 'node:fs/promises'

/**
 * Writes a file that a development server watches: it is there whole, or as it was. A server that reads it while it is
 * written finds an empty module.
 * @param {string} path
 * @param {string} text
 */
export async function writeWhole(path, text) {
  const beside = `${path}.new`
  await writeFile(beside, text)
  await rename(beside, path)
}
