import type { ListedTool } from '../toolset/listed-tool.ts'
import { estimateTokens } from './estimate-tokens.ts'

/**
 * Takes tools in their order as long as their schemas fit; one that does not is left out.
 *
 * @param before - Tools that are taken in any case, and count.
 */
export function withinTokens<Named extends { readonly name: string }>(
  tools: readonly Named[],
  before: readonly Named[],
  byName: ReadonlyMap<string, ListedTool>,
  budget: number = Number.POSITIVE_INFINITY,
): readonly Named[] {
  if (budget === Number.POSITIVE_INFINITY) return tools
  const tokensOf = ({ name }: Named) => {
    const tool = byName.get(name)
    return tool === undefined ? 0 : estimateTokens(tool.definition)
  }
  let left = before.reduce((rest, tool) => rest - tokensOf(tool), budget)
  return tools.filter((tool) => {
    const tokens = tokensOf(tool)
    if (tokens > left) return false
    left -= tokens
    return true
  })
}
