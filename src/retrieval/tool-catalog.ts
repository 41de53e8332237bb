import { defined } from '../tool/defined.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { originOf } from '../tool/tool-origin.ts'
import { checkNames } from '../toolset/known-names.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { refusal, type ToolPermissions } from '../toolset/tool-permissions.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { NamespaceOf } from './namespaces.ts'
import type { IndexedTool } from './searchable-index.ts'

/** The tools of a source, as one reading of it found them. */
export interface ToolCatalog {
  readonly listed: readonly ListedTool[]
  /** Those that may be taken. */
  readonly byName: ReadonlyMap<string, ListedTool>
  /** All of them, and whether each may be taken. */
  readonly known: ReadonlyMap<string, boolean>
}

/** What a catalogue is made with. */
export interface CatalogRules {
  readonly alwaysInclude: readonly string[]
  readonly permissions: ToolPermissions | undefined
  readonly texts: ModelTexts
}

/**
 * Looks through what a source listed.
 *
 * @throws {@link ToolRegistrationError} for a name to be always included, or a denied one, that no tool has or may yet
 * have.
 */
export function readCatalog(
  listed: readonly ListedTool[],
  source: ToolSource,
  { alwaysInclude, permissions, texts }: CatalogRules,
): ToolCatalog {
  checkNames('alwaysInclude', alwaysInclude, listed, source)
  checkNames('permissions.deny', permissions?.deny ?? [], listed, source)
  const rules = permissions === undefined ? [] : [permissions]
  const mayBe = (tool: ListedTool) =>
    refusal(rules, tool.definition.name, originOf(tool), texts) === undefined
  const known = new Map(listed.map((tool) => [tool.definition.name, mayBe(tool)]))
  const taken = listed.filter(({ definition }) => known.get(definition.name))
  return { listed, known, byName: new Map(taken.map((tool) => [tool.definition.name, tool])) }
}

/** The tools as an index takes them. */
export function indexed({ byName }: ToolCatalog, namespaceOf: NamespaceOf): readonly IndexedTool[] {
  return Array.from(byName.values(), (tool) => {
    const { definition, fingerprint } = tool
    return defined({ definition, fingerprint, namespace: namespaceOf(tool) })
  })
}
