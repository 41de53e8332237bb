import { closestName } from '../tool/tool-name.ts'
import type { Settlement } from '../tool/tool-result.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { refusalOf } from './permit.ts'
import { failure } from './settle.ts'

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
export function visibleTools(scope: ExecutionScope): ListedTool[] {
  return Array.from(scope.tools.values()).filter(
    (tool) => refusalOf(tool, scope) === undefined && !scope.budget?.isClosed(tool.definition.name),
  )
}
