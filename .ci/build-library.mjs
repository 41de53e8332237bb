import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './processes.mjs'

/**
 * Compiles the sources to dist/ (code, types, maps), from nothing. Resolves to the compiler's exit code; what it
 * could emit is there even if there were errors.
 */
export function buildLibrary() {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  return run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'src'])
}
