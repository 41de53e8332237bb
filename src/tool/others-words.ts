import type { ToolResponse } from './tool-response.ts'
import { asList } from './value-kinds.ts'

/**
 * Whether a response says (`metadata.wordsOf`, a list of origins) that words of others stand in it which nobody has
 * accepted. It is then content that is not to be trusted, whatever the labels of its tool say. Anybody may say it, as it
 * only tightens; it is in the metadata so that middleware, caches and workers keep it.
 */
export function holdsOthersWords({ metadata }: ToolResponse): boolean {
  return asList(metadata?.wordsOf).length > 0
}
