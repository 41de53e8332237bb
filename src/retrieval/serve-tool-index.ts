import { expose } from 'comlink'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { IndexFace, IndexReady } from './index-protocol.ts'
import type { IndexedTool } from './searchable-index.ts'
import { ToolIndex, type ToolIndexOptions } from './tool-index.ts'

/**
 * Serves an index of tools from a worker file; the only call such a file needs. The page opens it with
 * {@link remoteToolIndex}.
 *
 * @throws {@link ToolRegistrationError} when it is not called in a worker.
 * @example
 * // tool-index.worker.ts
 * serveToolIndex()
 */
export function serveToolIndex(options: ToolIndexOptions = {}): void {
  const scope = globalThis as unknown as { document?: unknown; postMessage?(message: unknown): void }
  if (scope.document !== undefined || typeof scope.postMessage !== 'function') {
    throw new ToolRegistrationError(
      'serveToolIndex() belongs into a worker file. On the page open that file with ' +
        "remoteToolIndex(() => new Worker(new URL('./tool-index.worker.ts', import.meta.url), { type: 'module' })).",
    )
  }
  expose(faceOf(new ToolIndex(options)))
  scope.postMessage({ offstageIndex: 1 } satisfies IndexReady)
}

function faceOf(index: ToolIndex): IndexFace {
  let brought = new Map<string, IndexedTool>()
  return {
    async bring(tools) {
      for (const tool of tools) brought.set(tool.definition.name, tool)
    },
    update(names) {
      brought = new Map(names.map((name) => [name, brought.get(name) as IndexedTool]))
      return index.update([...brought.values()])
    },
    search: (query, options) => index.search(query, options),
  }
}
