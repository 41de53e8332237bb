import { once } from '../tool/once.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'

/** Characters that are about a word each: Chinese, Japanese, Korean. */
const wideCharacters = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g

/**
 * About how many tokens a tool takes in a request. Against o200k_base, over the schemas of five public catalogues (527
 * to 4,076 tools, one of them Chinese), the sum is 6 % too low to 6 % too high; providers that write schemas into the
 * prompt in a form of their own differ more than that.
 */
export const estimateTokens: (definition: ToolDefinition) => number = once(
  ({ name, description, inputSchema }) => {
    const text = JSON.stringify({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })
    const wide = text.match(wideCharacters)?.length ?? 0
    return Math.ceil((text.length - wide) / 4.5 + wide * 0.67)
  },
)
