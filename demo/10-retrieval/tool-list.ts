import type { ToolDefinition, Toolkit } from 'offstage'

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
      tools.map(({ definition }) => [definition.name, { definition, server, tokens: tokensOf(definition) }]),
    ),
  )
}

/** About how many tokens a model reads for a tool, as the library estimates them. */
export function tokensOf({ name, description, inputSchema }: ToolDefinition): number {
  const text = JSON.stringify({ type: 'function', function: { name, description, parameters: inputSchema } })
  const wide = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return Math.ceil((text.length - wide) / 4.5 + wide * 0.67)
}
