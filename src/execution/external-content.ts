import { fenceTextsEn } from '../tool/fence-texts.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { strictest } from '../tool/option-rules.ts'
import type { DefinitionLabels, ToolLabels } from '../tool/tool-definition.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { cleanContent } from './clean-content.ts'
import { countFenceMarks, fence } from './fence.ts'

/** Responses whose text is in a fence already. By identity: what a response says of itself anybody can say. */
const fenced = new WeakSet<ToolResponse>()

/** Whether the text of a response is in a fence. */
export function isFenced(response: ToolResponse): boolean {
  return fenced.has(response)
}

/** Whether the result of a call is content that is not to be trusted. Until its input is checked, and of a tool that is gone, the worst holds. */
export function isExternal(labels: ToolLabels | undefined, declared: DefinitionLabels | undefined): boolean {
  if (labels !== undefined) return labels.externalContent
  return declared === undefined || (declared.externalContent !== false && strictest(declared).externalContent)
}

/** Whether the text of an ending is the tool's own, and not a sentence of the library. */
export function isOwnText({ outcome, error }: Settlement): boolean {
  if (outcome === 'invalid') return error?.code === 'model-retry'
  return outcome === 'success' || outcome === 'partial' || outcome === 'error'
}

/**
 * A response with its text cleaned and in a fence; `metadata.fence.removed` says what was taken out of it,
 * if anything was. `data` and
 * `parts` stay as they are. One that has its fence is given back.
 *
 * @param name - The tool's name.
 */
export function fencedResponse(response: ToolResponse, name: string, { results }: ModelTexts): ToolResponse {
  if (fenced.has(response)) return response
  const { fenced: words } = { ...fenceTextsEn, ...results }
  const { text, removed } = cleanContent(response.text)
  const marks = countFenceMarks(text)
  const account = marks === 0 ? removed : { ...removed, markup: (removed.markup ?? 0) + marks }
  const enclosed = { ...response, text: fence(text, words(name)) }
  if (Object.keys(account).length > 0) {
    enclosed.metadata = { ...response.metadata, fence: { removed: account as JsonObject } }
  }
  markFenced(enclosed)
  return enclosed
}

/** Records that the text of a response is in a fence, whatever stands behind that. */
export function markFenced(response: ToolResponse): void {
  fenced.add(response)
}
