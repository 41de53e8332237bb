import type { ModelTexts } from '../tool/model-texts.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { isRecord } from '../tool/value-kinds.ts'

/** A tool in one line of text. */
export function describeBriefly({ name, description }: ToolDefinition): string {
  return `- ${name}: ${oneLine(description)}`
}

/** A tool as lines of text: its name and description, then one line for each parameter. */
export function describeTool(definition: ToolDefinition, texts: ModelTexts): string {
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
