import type { CallOutcome } from './call-outcome.ts'
import { errorToData } from './error-data.ts'
import { copyJson, type ToolIssue } from './json-value.ts'
import type { RunContext } from './run-context.ts'
import type { Tool } from './tool.ts'
import { toResponse } from './tool-response.ts'

/**
 * Runs a tool where it lives. The input is checked again right beside `execute`, because only here may the
 * schema's transforms apply; the tool gets a value of its own, which it may change. Never throws: whatever
 * happens becomes an outcome.
 */
export async function runTool(tool: Tool, input: unknown, context: RunContext): Promise<CallOutcome> {
  const { input: schema } = tool['~internals']
  try {
    const copied = copyJson(input)
    if (copied.issues !== undefined) return { kind: 'invalid', issues: copied.issues }
    const checked = await schema.validate(copied.value)
    if (checked.issues !== undefined) return { kind: 'invalid', issues: checked.issues }
    const returned = await tool.execute(checked.value, context)
    const value = isGenerator(returned) ? await drain(returned, context) : returned
    const { response, empty } = toResponse(value)
    const issues = await outputIssues(tool, response.status === 'error' ? undefined : response.data)
    if (issues.length > 0) return wrongOutput(tool.name, issues)
    return { kind: 'response', response, ...(empty ? { empty } : {}) }
  } catch (error) {
    return thrownOutcome(error, context.signal)
  }
}

type AnyGenerator = AsyncGenerator<unknown, unknown> | Generator<unknown, unknown>

// By shape: compiled for older engines, a generator is a plain object with these methods.
function isGenerator(value: unknown): value is AnyGenerator {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Symbol.asyncIterator in value || Symbol.iterator in value) &&
    ['next', 'return', 'throw'].every(
      (method) => typeof (value as Record<string, unknown>)[method] === 'function',
    )
  )
}

async function drain(generator: AnyGenerator, context: RunContext): Promise<unknown> {
  let last: unknown
  try {
    while (true) {
      const { done, value } = await generator.next()
      if (done) return value === undefined ? last : value
      last = value
      context.progress(value)
      context.signal.throwIfAborted()
    }
  } finally {
    // Lets the generator's own finally blocks run when the call was stopped.
    await generator.return(undefined)
  }
}

async function outputIssues(tool: Tool, data: unknown): Promise<readonly ToolIssue[]> {
  const { output } = tool['~internals']
  if (output === undefined || data === undefined) return []
  const checked = await output.validate(data)
  return checked.issues ?? []
}

function wrongOutput(name: string, issues: readonly ToolIssue[]): CallOutcome {
  const first = issues[0]
  const message = `${name} gave data that does not fit its outputSchema${first ? ` (${first.path}: ${first.message})` : ''}`
  return { kind: 'crash', error: { name: 'ToolError', code: 'invalid-output', message, issues } }
}

function thrownOutcome(thrown: unknown, signal: AbortSignal): CallOutcome {
  const error = errorToData(thrown)
  // By name, not instanceof: a tool may be built with another copy of the library.
  if (error.name === 'ModelRetry') return { kind: 'retry', message: error.message }
  if (error.name === 'ToolFailed') return { kind: 'failed', message: error.message }
  if (error.name === 'ApprovalRequired') return { kind: 'approval', reason: error.message }
  if (signal.aborted) return { kind: 'stopped', mayHaveRun: true }
  return { kind: 'crash', error }
}
