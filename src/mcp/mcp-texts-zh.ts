import { definitionTextsZh } from './definitions/definition-texts-zh.ts'
import type { MCPTexts } from './mcp-texts.ts'
import { pinTextsZh } from './pins/pin-texts.ts'
import { resultTextsZh } from './results/result-texts.ts'
import { serverTextsZh } from './server-texts.ts'

/** The sentences of a client in Chinese. */
export const mcpTextsZh: MCPTexts = {
  ...definitionTextsZh,
  ...pinTextsZh,
  ...resultTextsZh,
  ...serverTextsZh,
}
