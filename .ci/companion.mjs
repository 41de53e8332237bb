import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildLibrary } from './build-library.mjs'
import { installDependencies } from './dependencies.mjs'
import { root } from './processes.mjs'

/**
 * `npm run companion`: the companion of these sources, for the demo's pages, with the programs that only read in the
 * folder of the demo. Further arguments go to it: `npm run companion -- --origin http://127.0.0.1:4173`.
 */

const programs = ['git', 'ls', 'grep', 'find', 'cat', 'head', 'tail', 'wc', 'pwd', 'date', 'echo']

await installDependencies()
if ((await buildLibrary()) !== 0) throw new Error('The library does not build: see the errors above.')
const given = process.argv.slice(2)
const pages = given.includes('--origin')
  ? []
  : ['--origin', 'http://127.0.0.1:5173', '--origin', 'http://localhost:5173']
const words = ['--allow', programs.join(','), '--root', join(root, 'demo'), ...pages, ...given]
const child = spawn(process.execPath, [join(root, 'dist/companion/bin.js'), ...words], { stdio: 'inherit' })
// The companion ends in its own way, and this with it. Of Ctrl+C the terminal tells both.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill())
child.on('exit', (code) => {
  process.exitCode = code ?? 0
})
