import { checkNames } from './known-names.ts'
import { mapped, unchanged } from './mapped.ts'
import { checkSelector, namesIn, type OfferedName, selected, type ToolSelector } from './tool-selector.ts'
import type { SourceNote, ToolSource } from './tool-source.ts'

/**
 * Only the selected tools of a source. A hidden one does not exist for a model: its calls are calls of an unknown
 * name. A function that throws hides the tool, and `notes` say why.
 *
 * @throws {@link ToolRegistrationError} for what is no selector; from `list`, when it names a tool that is not there.
 */
export function filtered<Source extends ToolSource, Deps = unknown>(
  source: Source,
  selector: ToolSelector<OfferedName<Source>, Deps>,
): ToolSource {
  const where = 'filtered()'
  checkSelector(selector, where)
  const byFunction = typeof selector === 'function'
  return mapped(
    source,
    async (tools, context, child) => {
      const notes: SourceNote[] = [...checkNames(where, namesIn(selector), tools, child)]
      const verdicts = await selected(selector, tools, context)
      const kept = tools.filter((tool, index) => {
        const verdict = verdicts[index]
        if (typeof verdict === 'object') {
          const reason = `${where}: the selector failed: ${verdict.failed}`
          notes.push({ kind: 'dropped', tool: tool.definition.name, reason })
        }
        return verdict === true
      })
      return { tools: kept.map(unchanged), notes }
    },
    { perStep: byFunction, hides: byFunction },
  )
}
