import { closestName } from '../tool/tool-name.ts'
import { originOf } from '../tool/tool-origin.ts'
import { refusal } from '../toolset/tool-permissions.ts'
import type { ListedTool } from '../toolset/tool-source.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { failure } from './settle.ts'
import type { Settlement } from './tool-result.ts'

/** An answer about an unknown name lists at most this many visible names. */
const maxListedNames = 20

/** The tool of a name, or the ending of a call that names none. Only permitted names are ever listed. */
export function find(name: string, scope: ExecutionScope): ListedTool | Settlement {
  const tool = scope.tools.get(name)
  if (tool !== undefined) return tool
  const visible = visibleTools(scope).map(({ definition }) => definition.name)
  const text = scope.texts.unknownTool(
    name.slice(0, 80),
    visible.slice(0, maxListedNames),
    closestName(name, visible),
  )
  return failure('unknown', text, 'unknown-tool')
}

/** The tools that may be shown to a model. */
export function visibleTools({ tools, permissions, texts }: ExecutionScope): ListedTool[] {
  return Array.from(tools.values()).filter(
    (tool) => refusal(permissions, tool.definition.name, originOf(tool), texts) === undefined,
  )
}
