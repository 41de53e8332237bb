import { checkOptions } from '../tool/check-options.ts'
import type { OpenAITool } from '../tool/describe-tools.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { forOpenAI, type OpenAIProjectionOptions } from './for-openai.ts'
import { projectTools } from './project-tools.ts'

/** What `toOpenAISchema` of a registry and `schemaFor` of a retriever take beside the names or the query. */
export interface OpenAISchemaOptions extends Omit<OpenAIProjectionOptions, 'name'> {
  /** What happens to a tool that cannot be sent. @default 'setAside': the others are given without it */
  readonly onInvalid?: 'setAside' | 'throw'
}

const optionNames = ['strict', 'onInvalid', 'texts', 'maxDescriptionChars']

/** Tools as OpenAI's chat completions take them, under different names. */
export function openaiSchema(
  definitions: readonly ToolDefinition[],
  options: OpenAISchemaOptions,
  where: string,
): readonly OpenAITool[] {
  checkOptions(options, optionNames, where)
  const { onInvalid = 'setAside', ...rest } = options
  const project = (definition: ToolDefinition, named?: { readonly name?: string }) =>
    forOpenAI(definition, { ...rest, ...named })
  return projectTools(definitions, project, { onInvalid }).tools
}
