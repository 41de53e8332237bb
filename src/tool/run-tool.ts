import type { CallOutcome } from './call-outcome.ts'
import { type Checked, firstIssue } from './json-value.ts'
import type { RunContext } from './run-context.ts'
import { thrownOutcome } from './thrown-outcome.ts'
import type { Tool } from './tool.ts'
import { toResponse } from './tool-response.ts'
import { hasMethods, isObject } from './value-kinds.ts'
import { isPromise, type MaybePromise, whenDone } from './when-done.ts'

/**
 * Runs a tool where it lives. The input is checked again right beside `execute`, because only here may the
 * schema's transforms apply; the tool gets a value of its own, which it may change. Never throws: whatever
 * happens becomes an outcome.
 *
 * @param ready - What the schema made of the input, when it was asked just now and nobody has seen its answer.
 */
export async function runTool(
  tool: Tool,
  input: unknown,
  context: RunContext,
  ready?: Checked<unknown>,
): Promise<CallOutcome> {
  try {
    const checked = ready ?? tool['~internals'].input.validate(input)
    // At once wherever nothing has to be waited for: in a step of many calls each wait is felt.
    const { value, issues } = isPromise(checked) ? await checked : checked
    if (issues !== undefined) return { kind: 'invalid', issues }
    const read = readReturned(tool, await tool.execute(value, context), context)
    return isPromise(read) ? await read : read
  } catch (error) {
    const outcome = thrownOutcome(error)
    const stopped = outcome.kind === 'crash' && context.signal.aborted
    return stopped ? { kind: 'stopped', mayHaveRun: true } : outcome
  }
}

function readReturned(tool: Tool, returned: unknown, context: RunContext): MaybePromise<CallOutcome> {
  if (isGenerator(returned)) return drain(returned, context).then((last) => checkOutput(tool, last))
  return checkOutput(tool, returned)
}

function checkOutput(tool: Tool, returned: unknown): MaybePromise<CallOutcome> {
  const { output } = tool['~internals']
  const { response, empty } = toResponse(returned)
  const { data, status } = response
  const outcome: CallOutcome = empty ? { kind: 'response', response, empty } : { kind: 'response', response }
  if (output === undefined || data === undefined || status === 'error') return outcome
  return whenDone(output.validate(data), ({ issues }) => {
    if (issues === undefined) return outcome
    const message = `${tool.name} gave data that does not fit its outputSchema: ${firstIssue(issues)}`
    return { kind: 'crash', error: { name: 'ToolError', code: 'invalid-output', message, issues } }
  })
}

type AnyGenerator = AsyncGenerator<unknown, unknown> | Generator<unknown, unknown>

// By shape: compiled for older engines, a generator is a plain object with these methods.
function isGenerator(value: unknown): value is AnyGenerator {
  return isObject(value) && hasMethods(value, 'next', 'return', 'throw')
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
