import { ToolRegistrationError } from '../tool/errors.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { byName } from './by-name.ts'
import { checkNames } from './known-names.ts'
import { type ListedTool, relist } from './listed-tool.ts'
import { mapped, unchanged } from './mapped.ts'
import type { OfferedName } from './tool-selector.ts'
import type { ToolSource } from './tool-source.ts'

/**
 * A source some of whose tools have other names. Two may swap theirs.
 *
 * @param oldNames - The old name for each new one: `{ newName: 'old_name' }`.
 * @throws {@link ToolRegistrationError} when the names are no such object or one tool gets two names; from
 * `list`, when there is no tool of an old name, or a new name is taken. Where tools may come later (`dynamic`), the one
 * whose name was given away is left out instead, with a note.
 */
export function renamed<Source extends ToolSource>(
  source: Source,
  oldNames: Readonly<Record<string, OfferedName<Source>>>,
): ToolSource {
  const newNames = readNames(oldNames)
  return mapped(
    source,
    (tools, _context, child) => {
      const notes = [...checkNames('renamed()', [...newNames.keys()], tools, child)]
      const isRenamed = ({ definition }: ListedTool) => newNames.has(definition.name)
      const given = new Set(tools.filter(isRenamed).map(({ definition }) => newNames.get(definition.name)))
      const all = tools.flatMap((inner) => {
        const { definition } = inner
        const name = newNames.get(definition.name)
        if (name !== undefined) return { inner, tool: relist(inner, { ...definition, name }) }
        if (!child.dynamic || !given.has(definition.name)) return unchanged(inner)
        // It came later, and must not cost the other tools.
        notes.push({ kind: 'dropped', tool: definition.name, reason: taken })
        return []
      })
      byName(
        all.map(({ tool }) => tool),
        'renamed(): two tools',
        () => 'Choose another new name, or rename the other tool as well.',
      )
      return { tools: all, notes }
    },
    { conflictHint: 'Give it another name with renamed(source, { new_name: "old_name" }).' },
  )
}

const taken = 'renamed() has given its name to another tool. Rename this one as well.'

function readNames(oldNames: unknown): ReadonlyMap<string, string> {
  if (!isRecord(oldNames)) {
    throw new ToolRegistrationError('renamed(): expected names, { new_name: "old_name" }.')
  }
  const newNames = new Map<string, string>()
  for (const [name, oldName] of Object.entries(oldNames)) {
    if (typeof oldName !== 'string' || newNames.has(oldName)) {
      const what =
        typeof oldName === 'string' ? `"${oldName}" gets two new names` : 'the old name is no string'
      throw new ToolRegistrationError(`renamed(), "${name}": ${what}. Write { new_name: "old_name" }.`)
    }
    newNames.set(oldName, name)
  }
  return newNames
}
