import { ToolRegistrationError } from '../tool/errors.ts'
import { relist } from './listed-tool.ts'
import { mapped } from './mapped.ts'
import type { ToolSource } from './tool-source.ts'

/**
 * A source whose tools are named `{prefix}_{name}`. Whether the names are short enough is checked once no further
 * wrapper can change them.
 *
 * @throws {@link ToolRegistrationError} when the prefix is not made of letters, digits, `_` and `-`.
 */
export function prefixed(source: ToolSource, prefix: string): ToolSource {
  if (typeof prefix !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(prefix)) {
    throw new ToolRegistrationError(
      `prefixed(): the prefix ${JSON.stringify(prefix)} is not valid. Use letters, digits, "_" or "-".`,
    )
  }
  return mapped(
    source,
    (tools) => ({
      tools: tools.map((inner) => {
        const { definition } = inner
        return { tool: relist(inner, { ...definition, name: `${prefix}_${definition.name}` }), inner }
      }),
    }),
    { conflictHint: `Give prefixed(…, "${prefix}") another prefix.` },
  )
}
