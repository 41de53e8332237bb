import { forAnthropic } from '../../../src/schema-dialects/for-anthropic.ts'
import { forGemini } from '../../../src/schema-dialects/for-gemini.ts'
import { forMCP } from '../../../src/schema-dialects/for-mcp.ts'
import { forOpenAI } from '../../../src/schema-dialects/for-openai.ts'
import type { PortableDefinition, Projection } from '../../../src/schema-dialects/projection.ts'
import { anthropicFaults } from './anthropic-grammar.ts'
import { geminiFaults } from './gemini-grammar.ts'
import { mcpFaults } from './mcp-grammar.ts'
import { openaiFaults } from './openai-grammar.ts'

/** A projection with what its provider would refuse of it, and the schema that is sent. */
export interface CheckedProjection {
  readonly projection: Projection<unknown>
  readonly faults: readonly string[]
  readonly schema: Readonly<Record<string, unknown>>
}

const noParameters = { type: 'object', properties: {} }

/** Every projection of a definition, by what it is for. Each throws for a definition that cannot be sent. */
export const everyProjection: Readonly<
  Record<string, (definition: PortableDefinition) => CheckedProjection>
> = {
  OpenAI: (definition) => openai(definition, false),
  'OpenAI strict': (definition) => openai(definition, true),
  Anthropic: (definition) => anthropic(definition, false),
  'Anthropic strict': (definition) => anthropic(definition, true),
  Gemini: (definition) => {
    const projection = forGemini(definition)
    const { tool } = projection
    return { projection, faults: geminiFaults(tool), schema: tool.parameters ?? noParameters }
  },
  MCP: (definition) => {
    const projection = forMCP(definition)
    return { projection, faults: mcpFaults(projection.tool), schema: projection.tool.inputSchema }
  },
}

function openai(definition: PortableDefinition, strict: boolean): CheckedProjection {
  const projection = forOpenAI(definition, { strict })
  const { tool } = projection
  return { projection, faults: openaiFaults(tool), schema: tool.function.parameters }
}

function anthropic(definition: PortableDefinition, strict: boolean): CheckedProjection {
  const projection = forAnthropic(definition, { strict })
  return { projection, faults: anthropicFaults(projection.tool), schema: projection.tool.input_schema }
}
