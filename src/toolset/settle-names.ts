import { originOf, trustOf } from '../tool/tool-origin.ts'
import { byName } from './by-name.ts'
import type { ListedTool } from './listed-tool.ts'
import type { SourceNote, ToolSource } from './tool-source.ts'

/** A tool and the source that a call of it goes to. */
export interface OwnedTool {
  readonly tool: ListedTool
  readonly source: ToolSource
}

/** Of several tools of one name, the one that has it. */
export interface SettledNames {
  /** By name, in the order in which they were listed. */
  readonly owned: ReadonlyMap<string, OwnedTool>
  /** What was left out, and for which. */
  readonly notes: readonly SourceNote[]
}

/**
 * Settles who has a name that several sources offer. What the developer wrote wins over what may come at any time, and
 * every tool of the app over those of servers; among equals the source that stands first. So it does not matter who
 * answers first, and no server can take the name of a local tool.
 *
 * @throws {@link ToolRegistrationError} when two have one name and no tool of either source can change: that is a
 * mistake of the developer, as it is when one source offers a name twice.
 */
export function settleNames(all: readonly OwnedTool[]): SettledNames {
  const best = new Map<string, OwnedTool>()
  for (const one of all) {
    const { name } = one.tool.definition
    const other = best.get(name)
    if (other === undefined || rankOf(one) < rankOf(other)) best.set(name, one)
  }
  const lost = (one: OwnedTool, winner: OwnedTool | undefined): winner is OwnedTool =>
    winner !== undefined &&
    winner.source !== one.source &&
    Boolean(winner.source.dynamic || one.source.dynamic)
  const kept: OwnedTool[] = []
  const notes: SourceNote[] = []
  for (const one of all) {
    const winner = best.get(one.tool.definition.name)
    if (lost(one, winner)) notes.push(leftOut(one, winner))
    else kept.push(one)
  }
  byName(
    kept.map(({ tool }) => tool),
    'Two tools',
    (name) =>
      kept.findLast(({ tool, source }) => tool.definition.name === name && source.conflictHint !== undefined)
        ?.source.conflictHint,
  )
  return { owned: new Map(kept.map((one) => [one.tool.definition.name, one])), notes }
}

/** The lower one has the name. */
function rankOf({ tool, source }: OwnedTool): number {
  // Of the app and of the library: what an app wrote itself is not worth less than what the library brings.
  const distrust = Math.max(0, trustOf('app') - trustOf(originOf(tool)))
  return 2 * distrust + (source.dynamic ? 1 : 0)
}

function leftOut({ tool, source }: OwnedTool, winner: OwnedTool): SourceNote {
  const { name } = tool.definition
  const hint = source.conflictHint ?? winner.source.conflictHint
  return {
    kind: 'dropped',
    tool: name,
    reason:
      `Two tools are named "${name}" (origins "${originOf(winner.tool)}" and "${originOf(tool)}"): that of ` +
      `"${originOf(winner.tool)}" is offered, the other one is left out.${hint === undefined ? '' : ` ${hint}`}`,
  }
}
