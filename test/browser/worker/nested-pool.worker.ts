import { WorkerToolset } from 'offstage'
import { serveTools } from 'offstage/worker'

// A worker that owns workers: it has no document, and no requestIdleCallback.
serveTools(
  new WorkerToolset(() => new Worker(new URL('./kit.worker.ts', import.meta.url), { type: 'module' }), {
    size: 1,
  }),
)
