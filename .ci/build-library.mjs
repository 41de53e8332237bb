import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './processes.mjs'

const dist = join(root, 'dist')

/**
 * Compiles the sources to dist/ (code, types, maps), from nothing. Resolves to the compiler's exit code; what it
 * could emit is there even if there were errors.
 */
export async function buildLibrary() {
  // The demo's build lies there too, and may be served at this moment.
  const old = existsSync(dist) ? readdirSync(dist).filter((name) => name !== 'demo') : []
  for (const name of old) rmSync(join(dist, name), { recursive: true })
  // The companion runs in Node, whose types nothing else may see.
  const codes = []
  for (const project of ['src', 'src/companion']) {
    codes.push(await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project]))
  }
  return codes.find((code) => code !== 0) ?? 0
}
