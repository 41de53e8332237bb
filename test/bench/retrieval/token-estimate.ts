import type { IndexedTool } from '../../../src/retrieval/index.ts'

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

/**
 * About how many tokens the schema of a tool takes in a request, as an OpenAI-style function. Only shares are made of it,
 * and those are within half a point of what o200k_base gives.
 */
export function schemaTokens({ definition: { name, description, inputSchema } }: IndexedTool): number {
  const text = JSON.stringify({ type: 'function', function: { name, description, parameters: inputSchema } })
  const wideCount = text.match(wide)?.length ?? 0
  return wideCount * 0.7 + (text.length - wideCount) / 4.5
}
