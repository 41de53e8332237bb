import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../../.ci/processes.mjs'

/** The revision of the protocol whose scenarios are required. */
export const REVISION = '2025-11-25'

const suiteVersion = '0.2.0-alpha.12'
const nodeVersion = '22.23.5'
// Not of package.json: only this uses them, and they are 200 MB.
const folder = join(root, 'test/.results/conformance')
const suiteFolder = join(folder, 'node_modules/@modelcontextprotocol/conformance')

/**
 * The protocol's own test suite and a Node that can run it.
 * @typedef {{ node: string, program: string }} Suite
 */

/**
 * Provides the suite, newly installed where it is not there in the pinned version.
 * @returns {Promise<Suite>}
 */
export async function provideSuite() {
  const node = nodeForSuite()
  const missing = [
    ...(versionIn(suiteFolder) === suiteVersion ? [] : [`@modelcontextprotocol/conformance@${suiteVersion}`]),
    ...(node.package === undefined || versionIn(node.folder) === nodeVersion ? [] : [node.package]),
  ]
  if (missing.length > 0) await install(missing)
  return { node: node.program, program: join(suiteFolder, 'dist/index.js') }
}

/**
 * The names of the client scenarios that the suite requires for {@link REVISION}.
 * @returns {string[]}
 */
export function requiredScenarios() {
  const lines = readFileSync(join(suiteFolder, `requirements/${REVISION}.yaml`), 'utf8').split('\n')
  const first = lines.indexOf('client:') + 1
  const length = lines.slice(first).findIndex((line) => !line.startsWith('  - '))
  return lines.slice(first, first + length).map((line) => line.slice('  - '.length))
}

// The suite needs fs.globSync, which came with Node 22.
function nodeForSuite() {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major >= 22) return { program: process.execPath, folder: '' }
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${system}-${process.arch}`
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  const nodeFolder = join(folder, 'node_modules', name)
  return { program: join(nodeFolder, program), folder: nodeFolder, package: `${name}@${nodeVersion}` }
}

/** @param {string} packageFolder */
function versionIn(packageFolder) {
  const file = join(packageFolder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}

/** @param {readonly string[]} packages */
async function install(packages) {
  console.log(`Installing ${packages.join(' and ')} into test/.results ...`)
  const [command = 'npm', ...first] = process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : []
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel', 'error']
  const exitCode = await run(command, [...first, 'install', '--prefix', folder, ...options, ...packages])
  if (exitCode === 0) return
  throw new Error(
    'npm install failed (its message is above). Check the network and the registry, then try again.',
  )
}
