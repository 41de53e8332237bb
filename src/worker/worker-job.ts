import { findUncloneableExactly } from '../tool/cloneable.ts'
import { defined } from '../tool/defined.ts'
import { type ErrorData, errorToData } from '../tool/error-data.ts'
import { copyJson, type ToolIssue } from '../tool/json-value.ts'
import { randomId } from '../tool/random-id.ts'
import type { SourceCallOptions } from '../toolset/tool-source.ts'
import type { LaneJob } from './worker-lane.ts'

/** What of the toolset's options goes into a job. */
export interface JobOptions {
  readonly graceMs?: number
  /** Picks what worker tools see of the agent's `deps`. */
  deps?(deps: never): unknown
}

/** A call that cannot be sent, as both a preflight and a call may answer. */
export type RefusedJob =
  | { readonly kind: 'crash'; readonly error: ErrorData }
  | { readonly kind: 'invalid'; readonly issues: readonly ToolIssue[] }

/** What a worker is asked to do: look at a call, or run it. */
export interface JobRequest {
  readonly kind: LaneJob['kind']
  readonly name: string
  readonly input: unknown
  readonly options: SourceCallOptions
}

/** Makes a message of a call: only plain data, checked before it is sent, so that an error can name the key. */
export function makeJob(request: JobRequest, toolset: JobOptions): LaneJob | RefusedJob {
  const { kind, name, options } = request
  // Copied here, so that a Proxy (Svelte's $state) crosses as the JSON that it shows.
  const copied = copyJson(request.input)
  if (copied.issues !== undefined) return { kind: 'invalid', issues: copied.issues }
  const deps = checkDeps(toolset, options.deps)
  if ('error' in deps) return { kind: 'crash', error: deps.error }
  const { runId, step, approval, attempt, maxRetries, filledByPerson } = options
  return {
    kind,
    name,
    input: copied.value,
    options: defined({
      callId: options.callId ?? randomId('call'),
      graceMs: toolset.graceMs,
      deps: deps.picked,
      ...{ runId, step, approval, attempt, maxRetries, filledByPerson },
    }),
    callbacks: options,
  }
}

/** Whether a call cannot be sent. */
export function isRefused(job: LaneJob | RefusedJob): job is RefusedJob {
  return job.kind === 'crash' || job.kind === 'invalid'
}

function checkDeps(
  toolset: JobOptions,
  deps: unknown,
): { readonly picked: unknown } | { readonly error: ErrorData } {
  if (toolset.deps === undefined) return { picked: undefined }
  try {
    const picked = toolset.deps(deps as never)
    const found = findUncloneableExactly(picked, { classInstances: 'refuse' })
    if (found === undefined) return { picked }
    const place = found.path === '' ? 'the picked value' : `"${found.path}"`
    const message =
      `deps of the WorkerToolset: ${place} is ${found.what}, which cannot go to a worker whole. ` +
      'Pick plain data in the deps option, or register the tool on the page instead.'
    return { error: { name: 'ToolError', code: 'uncloneable', message } }
  } catch (error) {
    const data = errorToData(error)
    const hint =
      deps === undefined ? '. This call has no deps: pass some to the agent, or mind undefined' : ''
    const message = `the deps option of the WorkerToolset threw: ${data.message}${hint}`
    return { error: { ...data, message } }
  }
}
