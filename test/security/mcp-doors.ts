import { type ToolInput, Toolset } from 'offstage'
import { MCPClient, memoryPinStore } from 'offstage/mcp'
import { ToolRetriever, ToolSearchTool } from 'offstage/retrieval'
import { type LabTool, startLabServer } from '../support/mcp/lab-server.ts'
import { textResult } from '../support/mcp/lab-tools.ts'
import { type Door, type Entrance, readAll } from './doors.ts'
import { order } from './orders.ts'

/** A server that reads only, so that nobody is asked about its calls; what is bad about it are its words. */
export interface McpDoors {
  /** Its results are the texts. */
  readonly results: Door
  /** Results of other shapes. */
  readonly shapes: readonly Door[]
  /** The words of its tools are the texts, offered at once or only found. */
  readonly words: readonly Door[]
  close(): Promise<void>
}

type Answer = (text: string) => Readonly<Record<string, unknown>>

const shapes: Readonly<Record<string, Answer>> = {
  'MCP error': (text) => ({ ...textResult(text), isError: true }),
  'MCP structured content': (text) => ({ content: [], structuredContent: { page: { title: text } } }),
  'name of an MCP resource': (name) => ({ content: [{ type: 'resource_link', uri: 'file:///a', name }] }),
  'text of an MCP resource': (text) => ({
    content: [{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text } }],
  }),
}

/** Starts the server. */
export async function openMcpDoors(): Promise<McpDoors> {
  const lab = await startLabServer({ tools: [readTool('Reads a page.', () => textResult(''))] })
  const client = new MCPClient({
    ...{ url: lab.url, namespace: 'web', needsApproval: false, pinStore: memoryPinStore() },
  })
  const readOnly = new Toolset(client).labelled({ effect: 'none', egress: false, reads: 'public' })
  const offer = async (tool: LabTool) => {
    lab.tools = [tool]
    await client.refresh()
  }
  const resultDoor = (name: string, answer: Answer): Door => ({
    name,
    // A name is one line without brackets, which the pieces of that one stand in.
    without: name.startsWith('name') ? ['split over two results'] : [],
    open: async (texts): Promise<Entrance> => {
      await offer(readTool('Reads a page.', (n) => answer(texts[n] ?? '')))
      return { tools: [readOnly], task: readAll('web_read', texts) }
    },
  })
  const wordsDoor = (name: string, tool: (text: string) => LabTool, entrance: () => Entrance): Door => ({
    name,
    open: async (texts) => {
      await offer(tool(texts.join('\n')))
      return entrance()
    },
  })
  const described = (text: string) => readTool(text, () => textResult('read'))
  return {
    results: resultDoor('MCP server', textResult),
    shapes: Object.entries(shapes).map(([name, answer]) => resultDoor(name, answer)),
    words: [
      wordsDoor('tool description', described, () => ({ tools: [readOnly], task: 'Go on.' })),
      wordsDoor('parameter description', parameterTool, () => ({ tools: [readOnly], task: 'Go on.' })),
      wordsDoor('description of a retrieved tool', described, () => ({
        tools: [new ToolSearchTool(new ToolRetriever([readOnly as ToolInput]))],
        task: order('tool_search', { query: 'web read' }),
      })),
    ],
    close: async () => {
      await client.close()
      await lab.close()
    },
  }
}

function readTool(description: string, call: (n: number) => Readonly<Record<string, unknown>>): LabTool {
  return {
    definition: {
      ...{ name: 'read', description },
      inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    },
    call: ({ n }) => call(Number(n)),
  }
}

function parameterTool(description: string): LabTool {
  const inputSchema = { type: 'object', properties: { n: { type: 'number', description } } }
  return { definition: { name: 'read', description: 'Reads.', inputSchema }, call: () => textResult('read') }
}
