import { checkOptions } from '../tool/check-options.ts'
import { relist } from './listed-tool.ts'
import { mapped } from './mapped.ts'
import type { ToolMiddleware } from './tool-middleware.ts'
import type { ToolSource } from './tool-source.ts'

/**
 * A source round whose calls middleware runs, the first outermost: inside the executor's own, outside that of
 * wrappers further in. It is only noted here, and run by the executor: who calls the source itself gets none.
 *
 * @throws {@link ToolRegistrationError} for what is no middleware.
 */
export function wrapped(source: ToolSource, ...middleware: readonly ToolMiddleware[]): ToolSource {
  for (const [index, item] of middleware.entries()) {
    checkOptions(item, ['name', 'before', 'wrap', 'after'], `wrapped(), middleware ${index + 1}`)
  }
  return mapped(source, (tools) => ({
    tools: tools.map((inner) => ({ tool: relist(inner, inner.definition, middleware), inner })),
  }))
}
