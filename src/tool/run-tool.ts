import type { CallOutcome } from './call-outcome.ts'
import { firstIssue } from './json-value.ts'
import type { RunContext } from './run-context.ts'
import { thrownOutcome } from './thrown-outcome.ts'
import type { Tool } from './tool.ts'
import { toResponse } from './tool-response.ts'
import { hasMethods } from './value-kinds.ts'
import { isPromise } from './when-done.ts'

/**
 * Runs a tool where it lives. The input is checked again right beside `execute`, because only here may the
 * schema's transforms apply; the tool gets a value of its own, which it may change. Never throws: whatever
 * happens becomes an outcome.
 */
export async function runTool(tool: Tool, input: unknown, context: RunContext): Promise<CallOutcome> {
  const { input: schema, output } = tool['~internals']
  try {
    const checked = schema.validate(input)
    // At once wherever nothing has to be waited for: in a step of many calls each wait is felt.
    const { value, issues } = isPromise(checked) ? await checked : checked
    if (issues !== undefined) return { kind: 'invalid', issues }
    const returned = await tool.execute(value, context)
    const read = toResponse(isGenerator(returned) ? await drain(returned, context) : returned)
    const { data, status } = read.response
    if (output !== undefined && data !== undefined && status !== 'error') {
      const { issues } = await output.validate(data)
      if (issues !== undefined) {
        const message = `${tool.name} gave data that does not fit its outputSchema: ${firstIssue(issues)}`
        return { kind: 'crash', error: { name: 'ToolError', code: 'invalid-output', message, issues } }
      }
    }
    return { kind: 'response', ...read }
  } catch (error) {
    const outcome = thrownOutcome(error)
    const stopped = outcome.kind === 'crash' && context.signal.aborted
    return stopped ? { kind: 'stopped', mayHaveRun: true } : outcome
  }
}

type AnyGenerator = AsyncGenerator<unknown, unknown> | Generator<unknown, unknown>

// By shape: compiled for older engines, a generator is a plain object with these methods.
function isGenerator(value: unknown): value is AnyGenerator {
  return hasMethods(value, 'next', 'return', 'throw')
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
