import type { ErrorData } from '../tool/error-data.ts'
import { ToolWorkerError } from '../tool/errors.ts'
import { isOurMessage, type ManifestEntry } from './protocol.ts'

/** Makes one worker. The `new Worker(new URL(…))` must stand in the app's own file, where bundlers see it. */
export type WorkerFactory = () => Worker

/** A worker that said it is ready, and the tools it serves. */
export interface OpenedWorker {
  readonly worker: Worker
  readonly tools: readonly ManifestEntry[]
}

const exampleFactory = "() => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' })"

/**
 * Starts a worker and waits until it says it is ready. Every way in which that fails, also in silence,
 * rejects with a {@link ToolWorkerError} that says what could be told apart and what is left to check.
 */
export async function openWorker(factory: WorkerFactory, readyTimeoutMs: number): Promise<OpenedWorker> {
  if (typeof Worker === 'undefined') {
    throw new ToolWorkerError(
      'There is no Worker here: this looks like a server. Create and start a WorkerToolset in the browser only ' +
        '(in an effect or an event handler), or run the same tools without a worker, for example registry.toolset().',
      'no-worker',
    )
  }
  const policy = watchPolicy()
  try {
    const worker = construct(factory, policy)
    return await handshake(worker, readyTimeoutMs, policy)
  } finally {
    policy.stop()
  }
}

function construct(factory: WorkerFactory, policy: PolicyWatch): Worker {
  let worker: unknown
  try {
    worker = factory()
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw loadError(`the Worker constructor threw (${message})`, policy, error)
  }
  if (!isWorker(worker)) {
    throw new ToolWorkerError(
      `The worker factory returned no Worker. Write it like ${exampleFactory}.`,
      'load',
    )
  }
  return worker
}

function isWorker(value: unknown): value is Worker {
  return typeof value === 'object' && value !== null && 'postMessage' in value && 'terminate' in value
}

function handshake(worker: Worker, readyTimeoutMs: number, policy: PolicyWatch): Promise<OpenedWorker> {
  return new Promise((resolve, reject) => {
    const listening = new AbortController()
    const fail = (reason: string, cause?: unknown) => {
      finish()
      worker.terminate()
      reject(loadError(reason, policy, cause))
    }
    const timer = setTimeout(
      () =>
        fail(`it did not say that it is ready within ${readyTimeoutMs} ms; does the file call serveTools()?`),
      readyTimeoutMs,
    )
    const finish = () => {
      clearTimeout(timer)
      listening.abort()
    }
    const { signal } = listening
    worker.addEventListener('error', (event) => void describeError(event).then((reason) => fail(reason)), {
      signal,
    })
    worker.addEventListener('messageerror', () => fail('it sent a message that cannot be read'), { signal })
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<unknown>) => {
        if (!isOurMessage(data)) return
        if (data.type === 'load-failed') fail(describeData(data.error))
        if (data.type !== 'ready') return
        finish()
        resolve({ worker, tools: data.tools })
      },
      { signal },
    )
  })
}

// A script error has a message; a missing file, a wrong MIME type, a syntax error and a policy have none.
async function describeError(event: Event): Promise<string> {
  event.preventDefault()
  const { message, filename, lineno } = event as Partial<ErrorEvent>
  if (message) return `its script threw: ${message}${filename ? ` (${filename}:${lineno})` : ''}`
  // The policy event of the same cause may come just after this one.
  await new Promise((resolve) => setTimeout(resolve, 50))
  return 'its script could not be loaded'
}

function describeData({ name, message }: ErrorData): string {
  return `serveTools() failed: ${name}: ${message}`
}

interface PolicyWatch {
  readonly blocked: () => string | undefined
  stop(): void
}

function watchPolicy(): PolicyWatch {
  let blocked: string | undefined
  if (typeof document === 'undefined') return { blocked: () => undefined, stop: () => {} }
  const listen = (event: SecurityPolicyViolationEvent) => {
    const { effectiveDirective } = event
    if (/^(worker-src|child-src|script-src|default-src|require-trusted-types-for)/.test(effectiveDirective)) {
      blocked = `${effectiveDirective}${event.blockedURI === '' ? '' : ` blocked ${event.blockedURI}`}`
    }
  }
  document.addEventListener('securitypolicyviolation', listen)
  return {
    blocked: () => blocked,
    stop: () => document.removeEventListener('securitypolicyviolation', listen),
  }
}

function loadError(reason: string, policy: PolicyWatch, cause?: unknown): ToolWorkerError {
  const blocked = policy.blocked()
  const trustedTypes = blocked?.startsWith('require-trusted-types-for') || /TrustedScriptURL/.test(reason)
  const checks = trustedTypes
    ? [
        'the page requires Trusted Types: create the URL with a policy, trustedTypes.createPolicy(…).createScriptURL(…), inside the factory',
      ]
    : blocked !== undefined
      ? [`the page's Content-Security-Policy forbids it (${blocked}): allow it with worker-src 'self'`]
      : [
          `the URL (write the factory like ${exampleFactory})`,
          'that the address answers 200 with a JavaScript MIME type (open it in the network panel)',
          'that the file has no syntax error and all its imports resolve',
          "that the page's Content-Security-Policy allows it (worker-src 'self') and, with cross-origin isolation, that the script has its Cross-Origin-Embedder-Policy header",
        ]
  const text = `The tool worker could not be started: ${reason}. To check: ${checks.map((check, index) => `(${index + 1}) ${check}`).join('; ')}.`
  return new ToolWorkerError(text, 'load', cause === undefined ? undefined : { cause })
}
