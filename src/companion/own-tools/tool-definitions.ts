import type { Tool } from '@modelcontextprotocol/sdk/types.js'

// They stay the same whatever is allowed: a client that pins what it trusts must not ask again after each start.
/** The tools of the companion itself, as MCP lists them. */
export const toolDefinitions: Tool[] = [
  {
    name: 'shell',
    description:
      'Run one command of an allowed program on the machine of the person, without a shell: no pipes, no ' +
      'redirection, no variables. With dryRun nothing runs, and the answer says exactly what would.',
    inputSchema: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'the command, such as: git log -n 5' },
        dryRun: { type: 'boolean', description: 'only say what would run' },
        digest: { type: 'string', description: 'the digest of a dry run: what runs must be exactly that' },
        timeoutMs: {
          type: 'integer',
          minimum: 1,
          description: 'the time limit, in milliseconds: 10,000, at most 120,000',
        },
        maxOutputChars: {
          type: 'integer',
          minimum: 1,
          description: 'the longest output that is kept, in characters: 4,000, at most 50,000',
        },
      },
      required: ['command'],
      additionalProperties: false,
    },
  },
  {
    name: 'web_search',
    description: 'Search the web. Gives titles, addresses and short pieces of text.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'what to search for' },
        maxResults: { type: 'integer', minimum: 1, maximum: 20, description: '5 when it is left out' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
]
