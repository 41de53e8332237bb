import { maxTimerMs } from '../tool/abort.ts'
import type { ErrorData } from '../tool/error-data.ts'
import { ToolWorkerError } from '../tool/errors.ts'
import { closedError, exampleFactory, type LoadFailure, loadError } from './load-error.ts'
import { isOurMessage, type ManifestEntry } from './protocol.ts'

/** Makes one worker. The `new Worker(new URL(…))` must stand in the app's own file, where bundlers see it. */
export type WorkerFactory = () => Worker

/** A worker that said it is ready, and the tools it serves. */
export interface OpenedWorker {
  readonly worker: Worker
  readonly tools: readonly ManifestEntry[]
}

/** How long to wait for a worker, and when to stop waiting. */
export interface OpenOptions {
  /** In milliseconds. */
  readonly readyTimeoutMs: number
  /** Aborts when the pool is closed. */
  readonly signal: AbortSignal
}

/** The report of a policy may come just after the event of the same cause. In milliseconds. */
const policyDelayMs = 50

/**
 * Starts a worker and waits until it says it is ready. Every way in which that fails, also in silence,
 * rejects with a {@link ToolWorkerError} that says what could be told apart and what is left to check. A
 * worker that failed, or is no longer wanted, is ended.
 */
export async function openWorker(factory: WorkerFactory, options: OpenOptions): Promise<OpenedWorker> {
  if (typeof Worker === 'undefined') {
    throw new ToolWorkerError(
      'There is no Worker here: this looks like a server. Create and start a WorkerToolset in the browser only ' +
        '(in an effect or an event handler), or run the same tools without a worker, for example registry.toolset().',
      'no-worker',
    )
  }
  const policy = watchPolicy()
  try {
    const opened = await construct(factory, options)
    if (opened === 'closed') throw closedError()
    if ('worker' in opened) return opened
    if (opened.stage === 'fetch' || opened.stage === 'factory') await delay(policyDelayMs)
    throw loadError({ ...opened, blocked: policy.blocked() })
  } finally {
    policy.stop()
  }
}

async function construct(factory: WorkerFactory, options: OpenOptions): Promise<Handshake> {
  let worker: unknown
  try {
    worker = factory()
  } catch (cause) {
    const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    return { stage: 'factory', reason: `the worker factory threw (${message})`, cause }
  }
  if (!isWorker(worker)) {
    throw new ToolWorkerError(
      `The worker factory returned no Worker. Write it like ${exampleFactory}.`,
      'load',
    )
  }
  const opened = await handshake(worker, options)
  if (opened === 'closed' || !('worker' in opened)) discard(worker)
  return opened
}

function discard(worker: Worker): void {
  // Its error may be on the way already; the toolset has rejected, and says more than the page's error handler could.
  worker.addEventListener('error', (event) => event.preventDefault())
  worker.terminate()
}

function isWorker(value: unknown): value is Worker {
  return typeof value === 'object' && value !== null && 'postMessage' in value && 'terminate' in value
}

type Handshake = OpenedWorker | LoadFailure | 'closed'

function handshake(worker: Worker, { readyTimeoutMs, signal }: OpenOptions): Promise<Handshake> {
  return new Promise((resolve) => {
    const listening = new AbortController()
    const end = (how: Handshake) => {
      clearTimeout(timer)
      listening.abort()
      resolve(how)
    }
    const silence = `it did not say that it is ready within ${readyTimeoutMs} ms`
    const timer = setTimeout(
      () => end({ stage: 'silent', reason: silence }),
      Math.min(readyTimeoutMs, maxTimerMs),
    )
    const once = { signal: listening.signal }
    worker.addEventListener('error', (event) => end(readError(event)), once)
    worker.addEventListener('messageerror', () => end(unreadable), once)
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<unknown>) => {
        if (!isOurMessage(data)) return
        if (data.type === 'load-failed') end({ stage: 'script', reason: servingFailed(data.error) })
        if (data.type === 'ready') end({ worker, tools: data.tools })
      },
      once,
    )
    signal.addEventListener('abort', () => end('closed'), once)
    if (signal.aborted) end('closed')
  })
}

const unreadable: LoadFailure = { stage: 'script', reason: 'it sent a message that cannot be read' }

// A script error has a message; a missing file, a wrong MIME type, a syntax error and a policy have none.
function readError(event: Event): LoadFailure {
  event.preventDefault()
  const { message, filename, lineno } = event as Partial<ErrorEvent>
  if (!message) return { stage: 'fetch', reason: 'its script could not be loaded' }
  const place = filename ? ` (${filename}:${lineno})` : ''
  return { stage: 'script', reason: `its script threw: ${message}${place}` }
}

function servingFailed({ name, message }: ErrorData): string {
  return `serveTools() failed: ${name}: ${message}`
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

interface PolicyWatch {
  readonly blocked: () => string | undefined
  stop(): void
}

const workerDirectives = new Set(['worker-src', 'child-src', 'script-src', 'default-src'])

/** Listens for reports of a policy that refuses workers. One that only reports refuses nothing. */
function watchPolicy(): PolicyWatch {
  let blocked: string | undefined
  if (typeof document === 'undefined') return { blocked: () => undefined, stop: () => {} }
  const listen = ({ disposition, effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (disposition !== 'enforce' || !workerDirectives.has(effectiveDirective)) return
    blocked = `${effectiveDirective}${blockedURI === '' ? '' : ` blocked ${blockedURI}`}`
  }
  document.addEventListener('securitypolicyviolation', listen)
  return {
    blocked: () => blocked,
    stop: () => document.removeEventListener('securitypolicyviolation', listen),
  }
}
