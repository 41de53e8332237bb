import type { LabCall, LabServerOptions, LabTool } from './lab-options.ts'
import type { LabRequest } from './lab-request.ts'

/** The options of a server and what may change while it runs. */
export interface LabOptions extends LabServerOptions {
  readonly tools: readonly LabTool[]
}

type Json = Readonly<Record<string, unknown>>

/** The result of a JSON-RPC request; throws an Error with `code` for an error answer. */
export async function answerOf(request: LabRequest, options: LabOptions, call: LabCall): Promise<unknown> {
  const { method = '', params = {} } = request.message ?? {}
  const own = await options.answer?.[method]?.(params, request)
  if (own !== undefined) return own
  const make = answers[method]
  if (make === undefined) throw Object.assign(new Error(`Method not found: ${method}`), { code: -32601 })
  return make(options, params, call)
}

const answers: Readonly<Record<string, (options: LabOptions, params: Json, call: LabCall) => unknown>> = {
  initialize: ({ protocolVersion, capabilities, instructions }, params) => ({
    protocolVersion: protocolVersion ?? params.protocolVersion,
    capabilities: capabilities ?? { tools: { listChanged: true }, resources: {}, prompts: {} },
    serverInfo: { name: 'lab', version: '1.0.0' },
    ...(instructions === undefined ? {} : { instructions }),
  }),
  ping: () => ({}),
  'tools/list': ({ tools, pageSize = Number.POSITIVE_INFINITY }, { cursor = '0' }) => {
    const first = Number(cursor)
    const last = first + pageSize
    return {
      tools: tools.slice(first, last).map(({ definition }) => definition),
      ...(last < tools.length ? { nextCursor: String(last) } : {}),
    }
  },
  'tools/call': ({ tools }, { name, arguments: input = {} }, call) => {
    const tool = tools.find(({ definition }) => definition.name === name)
    if (tool === undefined) throw Object.assign(new Error(`Unknown tool: ${name}`), { code: -32602 })
    return tool.call?.(input as Json, call) ?? { content: [] }
  },
  'resources/list': ({ resources = [] }) => ({ resources }),
  'resources/templates/list': ({ resourceTemplates = [] }) => ({ resourceTemplates }),
  'resources/read': (_options, { uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: `at ${uri}` }],
  }),
  'prompts/list': ({ prompts = [] }) => ({ prompts }),
  'prompts/get': (_options, { name, arguments: input = {} }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `${name} ${JSON.stringify(input)}` } }],
  }),
}
