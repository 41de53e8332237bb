import type { Settlement } from '../tool/tool-result.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { failure } from './settle.ts'
import { refusalOf } from './visible-tools.ts'

/** The ending of a call that may not run in this run, or undefined when it may go on. */
export function permit(listed: ListedTool, scope: ExecutionScope): Settlement | undefined {
  const { texts, budget } = scope
  const { name } = listed.definition
  if (budget?.isClosed(name)) return failure('limit', texts.closed(name))
  const reason = refusalOf(listed, scope)
  return reason === undefined ? undefined : failure('not-allowed', texts.notAllowed(name, reason))
}
