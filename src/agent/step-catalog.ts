import type { StepTools } from '../execution/run-tools.ts'
import { type ListedTool, rootOf } from '../toolset/listed-tool.ts'
import { sameItems } from '../toolset/same-items.ts'
import { outputToolName } from './output-tool.ts'
import { searchOf, type ToolSearch } from './tool-picker.ts'

/** The tools that a step may offer, apart by how they come to be offered. */
export interface StepCatalog {
  readonly byName: ReadonlyMap<string, ListedTool>
  /** They are offered in any case. */
  readonly always: readonly string[]
  /** They are offered once they are picked, found or named. */
  readonly held: readonly ListedTool[]
  readonly heldNames: ReadonlySet<string>
  /** They search among the held ones. */
  readonly searches: readonly (readonly [name: string, search: ToolSearch])[]
  /** What a call may name in order to be refused. */
  readonly refused: readonly ListedTool[]
}

/** The names that a picker chooses from, and whether each may be offered. */
export type Known = ReadonlyMap<string, boolean>

const made = new WeakMap<
  readonly ListedTool[],
  { readonly known: readonly Known[]; readonly catalog: StepCatalog }
>()

/** Most steps list what the one before did: that is looked through once, however long it is. */
export function catalogOf(step: Pick<StepTools, 'offered' | 'tools'>, known: readonly Known[]): StepCatalog {
  const last = made.get(step.offered)
  if (last !== undefined && sameItems(last.known, known)) return last.catalog
  const catalog = makeCatalog(step, known)
  made.set(step.offered, { known, catalog })
  return catalog
}

function makeCatalog(
  { offered, tools }: Pick<StepTools, 'offered' | 'tools'>,
  known: readonly Known[],
): StepCatalog {
  const byName = new Map<string, ListedTool>()
  const always: string[] = []
  const held: ListedTool[] = []
  const searches: [string, ToolSearch][] = []
  for (const tool of offered) {
    const { name } = tool.definition
    const search = searchOf(rootOf(tool))
    if (search !== undefined) searches.push([name, search])
    else if (name === outputToolName || !known.some((names) => names.has(name))) always.push(name)
    else if (known.some((names) => names.get(name))) held.push(tool)
    else continue
    byName.set(name, tool)
  }
  const isOffered = new Set(offered)
  return {
    ...{ byName, always, held, searches },
    heldNames: new Set(held.map(({ definition }) => definition.name)),
    refused: [...tools.values()].filter((tool) => !isOffered.has(tool)),
  }
}
