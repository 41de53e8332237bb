import { hasMethods } from '../tool/value-kinds.ts'
import type { ToolInput } from './gather.ts'
import { isToolSource, type ToolSource } from './tool-source.ts'

/** Tools in any form: what an agent's `tools` takes, one item of it, or a `ToolRegistry`. */
export type ToolsGiven =
  | ToolInput<never>
  | readonly ToolInput<never>[]
  | { readonly toolset: () => ToolSource }

/** The same as an agent's `tools` has it. */
export function itemsOf(given: ToolsGiven): readonly ToolInput<never>[] {
  if (Array.isArray(given)) return given
  if (!isToolSource(given) && hasMethods(given, 'toolset')) {
    return [(given as { readonly toolset: () => ToolSource }).toolset()]
  }
  return [given as ToolInput<never>]
}
