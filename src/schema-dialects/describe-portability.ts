import { errorToData } from '../tool/error-data.ts'
import { forAnthropic } from './for-anthropic.ts'
import { forGemini } from './for-gemini.ts'
import { forMCP, type MCPDefinition } from './for-mcp.ts'
import { forOpenAI } from './for-openai.ts'
import type { Projection } from './projection.ts'

const providers: readonly [string, (definition: MCPDefinition) => Projection<unknown>][] = [
  ['OpenAI', forOpenAI],
  ['OpenAI in strict mode', (definition) => forOpenAI(definition, { strict: true })],
  ['Anthropic', forAnthropic],
  ['Anthropic in strict mode', (definition) => forAnthropic(definition, { strict: true })],
  ['Gemini', forGemini],
  ['MCP', forMCP],
]

/**
 * Says in words, a line for each provider, whether it takes a tool as it is, and what is sent in place of what it does
 * not take. For developers; nothing is sent.
 *
 * @example console.log(describePortability(getWeather.definition))
 */
export function describePortability(definition: MCPDefinition): string {
  return providers
    .map(([title, project]) => {
      try {
        return `${title}: ${changes(project(definition))}`
      } catch (error) {
        return `${title}: refused. ${errorToData(error).message}`
      }
    })
    .join('\n')
}

function changes({ report }: Projection<unknown>): string {
  if (report.length === 0) return 'as it is.'
  const lines = report.map(({ path, lost, became }) => {
    const place = path === '' ? '' : `at "${path}" `
    return `${place}${lost} → ${became}`
  })
  return `${lines.join('; ')}.`
}
