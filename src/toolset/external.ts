import { CallDeferred, ToolRegistrationError } from '../tool/errors.ts'
import type { StandardSchema } from '../tool/standard-schema.ts'
import { Tool } from '../tool/tool.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { shownName, type ToolOptions } from '../tool/tool-options.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { byName } from './by-name.ts'
import { localTools } from './local-tools.ts'
import type { ToolSource } from './tool-source.ts'

/** The options of an external tool: those of `tool()` without `execute`. Its functions name the type of their input. */
export type ExternalToolOptions = Omit<ToolOptions<never, never>, 'inputSchema'> & {
  readonly inputSchema?: StandardSchema<unknown, unknown>
}

/**
 * Tools that have no body here: their input is checked, and their calls are answered later and from elsewhere,
 * with `agent.resume`.
 *
 * @throws {@link ToolRegistrationError} as `tool()` does, and when two share a name.
 * @example
 * external([{
 *   name: 'ask_accounting',
 *   description: 'Ask the accounting department a question.',
 *   inputSchema: v.object({ question: v.string() }),
 * }])
 */
export function external(tools: readonly ExternalToolOptions[]): ToolSource {
  if (!Array.isArray(tools)) {
    throw new ToolRegistrationError('external(): expected a list of tool options without execute.')
  }
  const named = byName(
    tools.map((options) => new ExternalTool(options as unknown as ToolOptions)),
    'external(): two tools',
    () => 'Rename one of them.',
  )
  return localTools(
    (name) => named.get(name),
    () => named.values(),
  )
}

/** One of them; for what makes sources of several kinds of tools. */
export class ExternalTool extends Tool {
  override readonly definition: ToolDefinition = markExternal(this)

  constructor(options: ToolOptions) {
    if (isRecord(options) && 'execute' in options) {
      throw new ToolRegistrationError(
        `external tool ${shownName(options)}: it has an execute function, so make it with tool().`,
      )
    }
    super(options)
  }

  override execute(): never {
    throw new CallDeferred()
  }
}

function markExternal({ definition }: Tool): ToolDefinition {
  return Object.freeze({ ...definition, external: true })
}
