import { ToolWorkerError } from '../tool/errors.ts'

/** How the factory in an app looks. The `new Worker(new URL(…))` must stand in the app's own file. */
export const exampleFactory =
  "() => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' })"

/** What is known of a worker that did not become ready. */
export interface LoadFailure {
  /**
   * `factory`: it threw; `script`: the worker's own code failed; `fetch`: its code never ran; `silent`: nothing
   * came at all.
   */
  readonly stage: 'factory' | 'script' | 'fetch' | 'silent'
  readonly reason: string
  /** The policy that refused it, in the words of the browser's violation report. */
  readonly blocked?: string | undefined
  readonly cause?: unknown
}

/** The error of a worker that did not become ready: what could be told apart, and what is left to check. */
export function loadError(failure: LoadFailure): ToolWorkerError {
  const { reason, cause } = failure
  const checks = checksFor(failure)
  const list =
    checks.length === 1 ? checks[0] : checks.map((check, index) => `(${index + 1}) ${check}`).join('; ')
  const text = `The tool worker could not be started: ${reason}. To check: ${list}.`
  return new ToolWorkerError(text, 'load', cause === undefined ? undefined : { cause })
}

/** The error of a toolset that was closed, or is being closed. */
export function closedError(): ToolWorkerError {
  return new ToolWorkerError('This WorkerToolset is closed. Call start() to open it again.', 'closed')
}

function checksFor({ stage, reason, blocked }: LoadFailure): readonly string[] {
  if (stage === 'script') return ['the worker file and what it imports; the error is its own']
  // Chromium and WebKit name the type that they want, Firefox what it calls the violation.
  if (stage === 'factory' && /TrustedScriptURL|Sink type mismatch/.test(reason)) return [trustedTypes]
  if (blocked !== undefined) {
    return [
      `the page's Content-Security-Policy, which forbids it (${blocked}): allow it with worker-src 'self'`,
    ]
  }
  if (stage === 'silent') {
    return [
      'that the worker file calls serveTools(tools), and before any await that may not end',
      'that the address answers with that file (open it in the network panel)',
    ]
  }
  if (stage === 'factory') {
    return [
      'that the worker file is served from the origin of the page',
      `the URL (write the factory like ${exampleFactory})`,
    ]
  }
  return [
    `the URL (write the factory like ${exampleFactory})`,
    'that the address answers 200 with a JavaScript MIME type (open it in the network panel)',
    'that the file has no syntax error and all its imports resolve',
    "that the page's Content-Security-Policy allows it (worker-src 'self') and, with cross-origin isolation, that the script has its Cross-Origin-Embedder-Policy header",
  ]
}

const trustedTypes =
  "the Trusted Types of the page: allow the worker's address with a default policy, " +
  "trustedTypes.createPolicy('default', { createScriptURL: (url) => … }); a named one has no place in the " +
  'new Worker(new URL(…)) that bundlers look for'
