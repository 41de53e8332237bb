import type { JsonObject } from './json-value.ts'
import type { ModelTexts } from './model-texts.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { isRecord } from './value-kinds.ts'

/** A function tool as OpenAI's chat completions take it. */
export interface OpenAITool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
    /** Whether the model is held to the schema while it writes; only where that was asked for. */
    readonly strict?: boolean
  }
}

/** Tools as text, one line for each and for each of their parameters. */
export function describeTools(definitions: readonly ToolDefinition[], texts: ModelTexts): string {
  const lines = definitions.map((definition) => describeTool(definition, texts))
  return lines.length === 0 ? texts.noTools : lines.join('\n')
}

/** A tool in one line of text. */
export function describeBriefly({ name, description }: ToolDefinition): string {
  return `- ${name}: ${oneLine(description)}`
}

/** A tool as lines of text: its name and description, then one line for each parameter. */
function describeTool(definition: ToolDefinition, texts: ModelTexts): string {
  const { properties, required } = definition.inputSchema
  const names = isRecord(properties) ? Object.entries(properties) : []
  const needed = Array.isArray(required) ? required : []
  const lines = names.map(([name, schema]) => {
    const node = isRecord(schema) ? schema : {}
    return `  - ${texts.parameterLine({
      name,
      type: typeText(node),
      required: needed.includes(name),
      fallback: node.default === undefined ? undefined : JSON.stringify(node.default),
      description: typeof node.description === 'string' ? oneLine(node.description) : '',
    })}`
  })
  return [describeBriefly(definition), ...lines].join('\n')
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

function typeText(node: Record<string, unknown>): string {
  if (Array.isArray(node.enum)) return node.enum.map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in node) return JSON.stringify(node.const)
  if (typeof node.type === 'string') return node.type
  if (Array.isArray(node.type)) return node.type.join(' | ')
  const union = node.anyOf ?? node.oneOf
  if (Array.isArray(union))
    return union.map((branch) => (isRecord(branch) ? typeText(branch) : 'any')).join(' | ')
  return 'any'
}
