import { originOf } from '../tool/tool-origin.ts'
import { type ListedTool, rootOf } from '../toolset/listed-tool.ts'
import { refusal, type ToolPermissions } from '../toolset/tool-permissions.ts'
import type { ExecutionScope } from './execution-scope.ts'

/** The tool that reads long results. It is there once a run has one. */
export const readResultName = 'read_result'

const exempt = new WeakSet<object>()

/**
 * Records a tool of the library that gives only what a permitted tool gave before: no allow list has to name it.
 *
 * @param root - See `rootOf`.
 */
export function exemptFromAllowLists(root: object | undefined): void {
  if (root !== undefined) exempt.add(root)
}

/** Whether a tool gives only what a permitted tool gave before. */
export function givesNothingNew(root: object | undefined): boolean {
  return root !== undefined && exempt.has(root)
}

/** The deny lists of permissions alone. */
export function denyListsOf(permissions: readonly ToolPermissions[]): readonly ToolPermissions[] {
  return permissions.map(({ deny = null, denyOrigins = null }) => ({ deny, denyOrigins }))
}

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
  const root = rootOf(listed)
  if (alwaysPermitted !== undefined && root === alwaysPermitted) return undefined
  const rules = givesNothingNew(root) ? denyListsOf(permissions) : permissions
  return refusal(rules, listed.definition.name, originOf(listed), texts)
}
