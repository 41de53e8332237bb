import { type Remote, wrap } from 'comlink'
import { ToolWorkerError } from '../tool/errors.ts'
import { type IndexFace, isIndexReady } from './index-protocol.ts'

/** A worker that holds an index. */
export interface IndexWorker {
  /** Held as long as the worker is used: a proxy that is collected in mid-call loses the answer. */
  readonly face: Remote<IndexFace>
  end(): void
}

/** Starts the worker, and waits until its index can be asked. */
export function openIndexWorker(factory: () => Worker, timeoutMs: number): Promise<IndexWorker> {
  return new Promise((resolve, reject) => {
    const worker = started(factory)
    const listening = new AbortController()
    const settle = () => {
      clearTimeout(timer)
      listening.abort()
    }
    const fail = (reason: string) => {
      settle()
      // What it throws later says no more.
      worker.addEventListener('error', (event) => event.preventDefault())
      worker.terminate()
      reject(notStarted(reason))
    }
    const timer = setTimeout(() => fail(`it did not say that it is ready within ${timeoutMs} ms`), timeoutMs)
    const { signal } = listening
    worker.addEventListener(
      'error',
      (event) => {
        event.preventDefault()
        fail(event.message ? `its script threw: ${event.message}` : 'its script could not be loaded')
      },
      { signal },
    )
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<unknown>) => {
        if (!isIndexReady(data)) return
        settle()
        resolve({ face: wrap<IndexFace>(worker), end: () => worker.terminate() })
      },
      { signal },
    )
  })
}

function started(factory: () => Worker): Worker {
  try {
    return factory()
  } catch (cause) {
    throw notStarted(`the function that makes it threw (${String(cause)})`, cause)
  }
}

function notStarted(reason: string, cause?: unknown): ToolWorkerError {
  return new ToolWorkerError(
    `The worker of the tool index could not be started: ${reason}. To check: its address in the network panel; that the ` +
      'file calls serveToolIndex(), before any await; the Content-Security-Policy of the page (worker-src).',
    'load',
    cause === undefined ? undefined : { cause },
  )
}
