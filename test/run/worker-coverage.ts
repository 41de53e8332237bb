import { join } from 'node:path'
import type { Plugin } from 'vite'
import { root } from './project.ts'

const reporter = join(root, 'test/support/coverage/worker.ts')

/** Has every worker of the browser tests tell the page which of its lines ran. */
export function workerCoverage(): Plugin {
  return {
    name: 'offstage:worker-coverage',
    transform: (code, id) =>
      id.includes('/test/browser/') && /\.worker\.ts(\?|$)/.test(id)
        ? { code: `import ${JSON.stringify(reporter)};${code}`, map: null }
        : undefined,
  }
}
