import { Agent, type AgentOptions, type ToolInput, Toolset, tool } from 'offstage'
import { MCPClient, memoryPinStore } from 'offstage/mcp'
import { SearchTool } from 'offstage/tools'
import * as v from 'valibot'
import { type LabTool, startLabServer } from '../support/mcp/lab-server.ts'
import { textResult } from '../support/mcp/lab-tools.ts'
import { ObedientModel, order } from './orders.ts'

/** What a door lets in: what is there for the agent, and what the person asks for so that it is read. */
export interface Entrance {
  readonly tools: readonly ToolInput[]
  readonly task: string
  /** Runs before the task, in the same conversation. */
  readonly before?: string
}

/** A way by which injected texts come in. */
export interface Door {
  readonly name: string
  open(texts: readonly string[]): Entrance | Promise<Entrance>
}

const nth = v.object({ n: v.number() })
const readAll = (name: string, texts: readonly string[]) =>
  `Please look. ${texts.map((_, n) => order(name, { n })).join(' ')}`

function reader(name: string, read: (n: number) => unknown, externalContent = true) {
  return tool({
    name,
    description: 'Reads something from outside.',
    inputSchema: nth,
    effect: 'none',
    externalContent,
    execute: ({ n }) => read(n),
  })
}

function pageDoor(name: string, read: (text: string) => unknown): Door {
  return {
    name,
    open: (texts) => ({
      tools: [reader('read_page', (n) => read(texts[n] ?? ''))],
      task: readAll('read_page', texts),
    }),
  }
}

const searchDoor: Door = {
  name: 'search',
  open: (texts) => {
    const sources = [
      {
        name: 'web',
        search: async (query: string) => [
          { title: 'A page', url: 'https://evil.example', snippet: texts[Number(query)] ?? '' },
        ],
      },
    ]
    const task = `Please search. ${texts.map((_, n) => order('search', { query: String(n) })).join(' ')}`
    return { tools: [new SearchTool({ sources })], task }
  },
}

/** What was written down in an earlier run, and is read in this one. */
const noteDoor: Door = {
  name: 'a note of before',
  open: (texts) => ({
    tools: [reader('read_page', (n) => texts[n] ?? '')],
    before: readAll('read_page', texts),
    task: 'Go on.',
  }),
}

/** Doors of which the text is one, however the payload dresses it. */
export const pageDoors: readonly Door[] = [pageDoor('page', (text) => text), searchDoor]

/** Ways in of another kind; for some payloads only. */
export const sideDoors: readonly Door[] = [
  pageDoor('error text', (text) => {
    throw new Error(text)
  }),
  pageDoor('structured data', (text) => ({ items: [{ title: 'Recipe', body: { text } }] })),
  pageDoor('name of a resource', (text) => [{ uri: 'file:///a', name: text }]),
  pageDoor('key of structured data', (text) => ({ [text]: 1 })),
  noteDoor,
]

/** A server whose results, or the words of whose tools, are the text. It reads only, and nobody is asked about that. */
export interface McpDoors {
  readonly results: Door
  readonly words: Door
  close(): Promise<void>
}

/** Starts the server. */
export async function openMcpDoors(): Promise<McpDoors> {
  let current: readonly string[] = []
  const read = (description: string): LabTool => ({
    definition: {
      ...{ name: 'read', description },
      inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    },
    call: ({ n }) => textResult(current[Number(n)] ?? ''),
  })
  const lab = await startLabServer({ tools: [read('Reads a page.')] })
  const client = new MCPClient({
    ...{ url: lab.url, namespace: 'web', needsApproval: false, pinStore: memoryPinStore() },
  })
  const readOnly = new Toolset(client).labelled({ effect: 'none', egress: false, reads: 'public' })
  const offer = async (description: string) => {
    lab.tools = [read(description)]
    await client.refresh()
  }
  return {
    results: {
      name: 'MCP server',
      open: async (texts) => {
        await offer('Reads a page.')
        current = texts
        return { tools: [readOnly], task: readAll('web_read', texts) }
      },
    },
    words: {
      name: 'tool description',
      open: async (texts) => {
        await offer(texts.join('\n'))
        return { tools: [readOnly], task: 'Go on.' }
      },
    },
    close: async () => {
      await client.close()
      await lab.close()
    },
  }
}

/** Lets an attack in; the person says no to whatever is asked. */
export async function attack(
  { tools, task, before }: Entrance,
  own: readonly ToolInput[],
  options: Pick<AgentOptions, 'policy'>,
): Promise<void> {
  const reading = { model: new ObedientModel(), confirm: () => false, ...options }
  const first = before && (await new Agent({ ...reading, tools }).run(before))
  const messages = first ? first.messages : []
  await new Agent({ ...reading, tools: [...tools, ...own] }).run(task, { messages })
}
