import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { buildLibrary } from '../../.ci/build-library.mjs'
import { root } from '../../.ci/processes.mjs'

/**
 * How long a fresh Node process takes to import the built library, in milliseconds: the median of so many processes.
 * @param {number} runs
 */
export async function measureColdImport(runs) {
  if ((await buildLibrary()) !== 0) throw new Error('The library does not build.')
  const library = pathToFileURL(join(root, 'dist/index.js')).href
  const script = `const start = performance.now(); await import('${library}'); console.log(performance.now() - start)`
  const took = []
  for (let run = 0; run < runs; run += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    took.push(Number(stdout))
  }
  return took.sort((one, other) => one - other)[runs >> 1] ?? Number.NaN
}
