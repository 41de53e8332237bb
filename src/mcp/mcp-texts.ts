import { type DefinitionTexts, definitionTextsEn } from './definitions/definition-texts.ts'
import { type PinTexts, pinTextsEn } from './pins/pin-texts.ts'
import { type ResultTexts, resultTextsEn } from './results/result-texts.ts'
import { type ServerTexts, serverTextsEn } from './server-texts.ts'

/**
 * Every sentence of a client that a person or a model reads: about its tools, their changes, their results, and the
 * server. What went wrong with a connection is an {@link McpError}, in English, as all errors for developers.
 */
export interface MCPTexts extends DefinitionTexts, PinTexts, ResultTexts, ServerTexts {}

/** The sentences of a client in English. */
export const mcpTextsEn: MCPTexts = {
  ...definitionTextsEn,
  ...pinTextsEn,
  ...resultTextsEn,
  ...serverTextsEn,
}

/** The sentences of a client: those that the app gives, and English. */
export function textsOf({ texts }: { readonly texts?: Partial<MCPTexts> }): MCPTexts {
  return { ...mcpTextsEn, ...texts }
}
