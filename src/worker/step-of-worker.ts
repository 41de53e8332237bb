import { dataToError } from '../tool/error-data.ts'
import type { StepContext } from '../tool/step-context.ts'
import { lastRead } from '../toolset/last-read.ts'
import { relist } from '../toolset/listed-tool.ts'
import { asShown, type MappedTool, withDefinition } from '../toolset/mapped-tool.ts'
import { routed } from '../toolset/routed.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { JobRunner } from './job-runner.ts'

/** A worker's tools in one step, as it says itself when it is asked. */
export function stepOfWorker(toolset: ToolSource, runner: JobRunner, context: StepContext): ToolSource {
  const offers = lastRead(() => listStep(toolset, runner, context))
  const find = (name: string) => async () => (await offers.last()).get(name)
  return {
    reportsStart: true,
    dynamic: true,
    list: async () => Array.from((await offers.read()).values(), ({ tool }) => tool),
    preflight: (name, input, options = {}) =>
      routed(name, find(name), async (route) => {
        const answer = await toolset.preflight(name, input, withDefinition(options, route))
        return answer.kind === 'ready' ? asShown(answer, route) : answer
      }),
    call: (name, input, options = {}) =>
      routed(name, find(name), (route) => toolset.call(name, input, withDefinition(options, route))),
  }
}

async function listStep(
  toolset: ToolSource,
  runner: JobRunner,
  context: StepContext,
): Promise<ReadonlyMap<string, MappedTool>> {
  const listed = await toolset.list()
  const answer = await runner.list(context)
  if (answer.kind === 'crash') throw dataToError(answer.error)
  const inners = new Map(listed.map((inner) => [inner.definition.name, inner]))
  const shown = answer.definitions.map((definition): MappedTool[] => {
    const inner = inners.get(definition.name)
    return inner === undefined ? [] : [{ tool: relist(inner, definition), inner }]
  })
  return new Map(shown.flat().map((route) => [route.tool.definition.name, route]))
}
