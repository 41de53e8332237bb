import { plainNames } from '../tool/arguments/plain-names.ts'
import { closestName } from '../tool/tool-name.ts'
import type { Settlement } from '../tool/tool-result.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { failure } from './settle.ts'
import { refusalOf, visibleTools } from './visible-tools.ts'

/** An answer about an unknown name lists at most this many visible names. */
const maxListedNames = 20

/**
 * The tool of a name, or the ending of a call that names none. Only permitted names are ever listed. A name that is
 * none as it stands is taken for what it stands for without its decorations, if that is one permitted tool exactly.
 */
export function find(name: string, scope: ExecutionScope): ListedTool | Settlement {
  const tool = scope.tools.get(name) ?? findPlain(name, scope)
  if (tool !== undefined) return tool
  const held = [name, ...plainNames(name)].map((each) => scope.heldBack?.(each)).find(Boolean)
  if (held !== undefined) return failure('unknown', held, 'unknown-tool')
  const visible = visibleTools(scope).map(({ definition }) => definition.name)
  const text = scope.texts.unknownTool(
    name.slice(0, 80),
    visible.slice(0, maxListedNames),
    closestName(name, visible),
  )
  return failure('unknown', text, 'unknown-tool')
}

function findPlain(name: string, scope: ExecutionScope): ListedTool | undefined {
  const found = plainNames(name).flatMap((plain) => scope.tools.get(plain) ?? [])
  const [only, other] = found.filter((tool) => refusalOf(tool, scope) === undefined)
  return other === undefined ? only : undefined
}
