import type { JsonObject } from '../../../src/tool/json-value.ts'
import { everyProjection } from '../../support/dialects/every-projection.ts'
import type { RetrievalSet } from '../retrieval/catalogues.ts'

/** How many different tools there are, how many some provider does not get, and how many some provider would refuse. */
export interface DialectFigures extends Record<string, number> {
  readonly tools: number
  readonly setAside: number
  readonly invalid: number
}

/** Projects tools for every provider and checks each projection against the provider's grammar. */
export function projectCatalogue(tools: RetrievalSet['tools']): DialectFigures {
  const different = new Map(tools.map((tool) => [JSON.stringify(tool), tool]))
  const figures = { tools: different.size, setAside: 0, invalid: 0 }
  for (const { name, description = '', parameters } of different.values()) {
    const inputSchema = (parameters ?? { type: 'object', properties: {} }) as JsonObject
    const outcomes = Object.values(everyProjection).map((project) => {
      try {
        return project({ name, description, inputSchema }).faults.length === 0 ? 'fine' : 'invalid'
      } catch {
        return 'setAside'
      }
    })
    if (outcomes.includes('invalid')) figures.invalid += 1
    if (outcomes.includes('setAside')) figures.setAside += 1
  }
  return figures
}
