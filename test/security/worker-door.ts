import { WorkerToolset } from 'offstage'
import { type Door, readEach } from './doors.ts'

/** A page that a tool in a worker reads. What it says never stands in the words of the person: it is asked for by numbers. */
export interface WorkerDoor extends Door {
  close(): Promise<void>
}

/** Starts the worker. In a browser only. */
export function openWorkerDoor(): WorkerDoor {
  const factory = () => new Worker(new URL('./attack.worker.ts', import.meta.url), { type: 'module' })
  const worker = new WorkerToolset(factory, { size: 1, readyTimeoutMs: 60_000 })
  return {
    name: 'worker tool',
    open: (texts, which) => ({
      tools: [worker],
      task: readEach(
        'read_page',
        texts.map((_, n) => ({ ...which, n })),
      ),
    }),
    close: () => worker.close(),
  }
}
