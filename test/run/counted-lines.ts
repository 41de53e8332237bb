import { createInstrumenter } from 'istanbul-lib-instrument'
import type { Plugin } from 'vite'
import { root } from './project.ts'

/**
 * Has the bundled library count which of its lines ran, where Vitest's coverage looks for it. Vitest itself would count
 * only in sources that are served one by one.
 */
export function countedLines(): Plugin {
  const instrumenter = createInstrumenter({
    esModules: true,
    compact: false,
    coverageVariable: '__VITEST_COVERAGE__',
    coverageGlobalScope: 'globalThis',
    // Strict pages run no strings as code.
    coverageGlobalScopeFunc: false,
  })
  return {
    name: 'offstage:counted-lines',
    enforce: 'post',
    transform(code, id) {
      if (!id.startsWith(`${root}/src/`)) return undefined
      // As plain data: Rolldown's own map makes its members when they are read.
      const map = JSON.parse(JSON.stringify(this.getCombinedSourcemap()))
      return { code: instrumenter.instrumentSync(code, id, map), map: null }
    },
  }
}
