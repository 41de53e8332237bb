import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../../.ci/processes.mjs'
import { runProcess } from './app-process.mjs'

const notPacked = new Set(['node_modules', 'dist', 'test', '.git'])

/**
 * Packs the library as it would be published, from a copy: the build of `npm pack` must not take dist/ away
 * from other tests. Resolves to the path of the tarball.
 * @param {string} folder an empty one, absolute
 */
export async function packLibrary(folder) {
  const copy = join(folder, 'library')
  mkdirSync(copy)
  cpSync(root, copy, {
    recursive: true,
    filter: (path) => !(notPacked.has(basename(path)) && path === join(root, basename(path))),
  })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir')
  await runProcess(copy, 'npm', ['pack', '--pack-destination', folder])
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (tarball === undefined) throw new Error(`npm pack left no tarball in ${folder}.`)
  return join(folder, tarball)
}
