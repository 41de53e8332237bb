import { dataToError } from '../tool/error-data.ts'
import { deepFreeze } from '../tool/json-value.ts'
import type { StepContext } from '../tool/step-context.ts'
import { relist } from '../toolset/listed-tool.ts'
import { mappedInstance } from '../toolset/mapped.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { JobRunner } from './job-runner.ts'

/** A worker's tools in one step, as it says itself when it is asked. */
export function stepOfWorker(toolset: ToolSource, runner: JobRunner, context: StepContext): ToolSource {
  return mappedInstance(
    toolset,
    async (tools) => {
      const answer = await runner.list(context)
      if (answer.kind === 'crash') throw dataToError(answer.error)
      const definitions = new Map(answer.definitions.map((definition) => [definition.name, definition]))
      return {
        tools: tools.flatMap((inner) => {
          const definition = definitions.get(inner.definition.name)
          return definition === undefined ? [] : [{ tool: relist(inner, deepFreeze(definition)), inner }]
        }),
      }
    },
    { perStep: true, hides: true },
    context,
    async () => {},
  )
}
