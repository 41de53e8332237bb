import { ToolRegistrationError } from '../tool/errors.ts'
import { mapped } from './mapped.ts'
import { type PrepareDefinition, prepareTool } from './prepare-definition.ts'
import type { ToolSource } from './tool-source.ts'

/**
 * A source whose definitions a function changes, or hides with null, for each step. It gets a frozen definition
 * and gives back a changed copy; what it gives is what counts, also for `timeoutMs`. It cannot rename a tool, and
 * cannot have the person asked less often.
 *
 * @throws {@link ToolRegistrationError} when `prepare` is no function; from `list`, for what cannot be a definition.
 * `list` also rejects, with the tool's name, when the function throws.
 * @example prepared(source, (definition) => ({ ...definition, timeoutMs: 5_000 }))
 */
export function prepared<Deps = unknown>(source: ToolSource, prepare: PrepareDefinition<Deps>): ToolSource {
  if (typeof prepare !== 'function') {
    throw new ToolRegistrationError('prepared(): expected a function, (definition, context) => definition.')
  }
  return mapped(
    source,
    async (tools, context) => {
      const shown = await Promise.all(
        tools.map((inner) => prepareTool(inner, prepare, context, 'prepared()')),
      )
      return {
        tools: tools.flatMap((inner, index) => {
          const tool = shown[index]
          return tool === undefined ? [] : [{ tool, inner }]
        }),
      }
    },
    { perStep: true, hides: true },
  )
}
