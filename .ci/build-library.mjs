import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './processes.mjs'

const dist = join(root, 'dist')

/**
 * Compiles the sources to dist/ (code, types, maps), from nothing. Resolves to the compiler's exit code; what it
 * could emit is there even if there were errors.
 */
export function buildLibrary() {
  // The demo's build lies there too, and may be served at this moment.
  const old = existsSync(dist) ? readdirSync(dist).filter((name) => name !== 'demo') : []
  for (const name of old) rmSync(join(dist, name), { recursive: true })
  return run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'src'])
}
