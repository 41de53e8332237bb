import type { ToolDefinition, Toolkit } from 'offstage'
import { estimateTokens } from 'offstage/retrieval'

/** A tool of the catalogue, and what is shown of it. */
export interface CatalogueTool {
  readonly definition: ToolDefinition
  readonly server: string
  /** What its schema takes in a prompt, about. */
  readonly tokens: number
}

/** All tools, by their names. */
export function listTools(servers: readonly Toolkit[]): ReadonlyMap<string, CatalogueTool> {
  return new Map(
    servers.flatMap(({ name: server, tools }) =>
      tools.map(({ definition }) => [
        definition.name,
        { definition, server, tokens: estimateTokens(definition) },
      ]),
    ),
  )
}
