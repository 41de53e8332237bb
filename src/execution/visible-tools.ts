import { originOf } from '../tool/tool-origin.ts'
import { type ListedTool, rootOf } from '../toolset/listed-tool.ts'
import { refusal } from '../toolset/tool-permissions.ts'
import type { ExecutionScope } from './execution-scope.ts'

/** The tools that may be shown to a model. */
export function visibleTools(scope: ExecutionScope): ListedTool[] {
  return Array.from(scope.tools.values()).filter(
    (tool) => refusalOf(tool, scope) === undefined && !scope.budget?.isClosed(tool.definition.name),
  )
}

/** Why the permissions refuse a tool, in words; undefined when it may run. */
export function refusalOf(
  listed: ListedTool,
  { permissions, alwaysPermitted, texts }: Pick<ExecutionScope, 'permissions' | 'alwaysPermitted' | 'texts'>,
): string | undefined {
  if (alwaysPermitted !== undefined && rootOf(listed) === alwaysPermitted) return undefined
  return refusal(permissions, listed.definition.name, originOf(listed), texts)
}
