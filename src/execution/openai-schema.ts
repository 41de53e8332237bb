import { forOpenAI, type OpenAIProjectionOptions } from '../schema-dialects/for-openai.ts'
import { projectTools } from '../schema-dialects/project-tools.ts'
import { checkOptions } from '../tool/check-options.ts'
import type { OpenAITool } from '../tool/describe-tools.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'

/** What `toOpenAISchema` of a registry takes beside the names. */
export interface OpenAISchemaOptions extends Omit<OpenAIProjectionOptions, 'name'> {
  /** What happens to a tool that cannot be sent. @default 'setAside': the others are given without it */
  readonly onInvalid?: 'setAside' | 'throw'
}

const optionNames = ['strict', 'onInvalid', 'texts', 'maxDescriptionChars']

/** Tools as OpenAI's chat completions take them, under different names. */
export function openaiSchema(
  definitions: readonly ToolDefinition[],
  options: OpenAISchemaOptions,
): readonly OpenAITool[] {
  checkOptions(options, optionNames, 'toOpenAISchema()')
  const { onInvalid = 'setAside', ...rest } = options
  const project = (definition: ToolDefinition, named?: { readonly name?: string }) =>
    forOpenAI(definition, { ...rest, ...named })
  return projectTools(definitions, project, { onInvalid }).tools
}
