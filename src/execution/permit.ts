import { originOf } from '../tool/tool-origin.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { type ListedTool, rootOf } from '../toolset/listed-tool.ts'
import { refusal } from '../toolset/tool-permissions.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { failure } from './settle.ts'

/** The ending of a call that may not run in this run, or undefined when it may go on. */
export function permit(listed: ListedTool, scope: ExecutionScope): Settlement | undefined {
  const { texts, budget } = scope
  const { name } = listed.definition
  if (budget?.isClosed(name)) return failure('limit', texts.closed(name))
  const reason = refusalOf(listed, scope)
  return reason === undefined ? undefined : failure('not-allowed', texts.notAllowed(name, reason))
}

/** Why the permissions refuse a tool, in words; undefined when it may run. */
export function refusalOf(
  listed: ListedTool,
  { permissions, alwaysPermitted, texts }: Pick<ExecutionScope, 'permissions' | 'alwaysPermitted' | 'texts'>,
): string | undefined {
  if (alwaysPermitted !== undefined && rootOf(listed) === alwaysPermitted) return undefined
  return refusal(permissions, listed.definition.name, originOf(listed), texts)
}
