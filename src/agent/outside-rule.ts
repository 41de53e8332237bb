import { fenceCloses, fenceOpens } from '../execution/fence.ts'
import { fenceTextsEn } from '../tool/fence-texts.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { once } from '../tool/once.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { RunRecord } from './run-record.ts'

/**
 * What a model has to know about content from outside; undefined as long as it can meet none. Once said in a run it is
 * said in every request: instructions that come and go would make the provider read the whole conversation anew.
 */
export function outsideRule(
  record: RunRecord,
  tools: readonly ToolDefinition[],
  { results }: ModelTexts,
): string | undefined {
  record.saysOutsideRule ||=
    bringsOutside(tools) || record.taint.isTainted || (record.step <= 1 && holdsOutside(record))
  if (!record.saysOutsideRule) return undefined
  return { ...fenceTextsEn, ...results }.fenceRule(fenceOpens, fenceCloses)
}

const bringsOutside = once((tools: readonly ToolDefinition[]) =>
  tools.some(({ labels }) => labels.externalContent !== false),
)

// What comes into a run later, comes by a tool that it offers.
function holdsOutside({ messages }: RunRecord): boolean {
  return messages.some(
    (message) => message.role === 'tool' && message.results.some(({ text }) => text.includes(fenceOpens)),
  )
}
