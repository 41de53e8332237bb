// A small MCP server on standard input and output, for the bridge. Its first argument is a file in which it notes what
// happens to it.
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const [file = '/dev/null'] = process.argv.slice(2)
/** @param {string} line */
const note = (line) => appendFileSync(file, `${line}\n`)

// It heeds no polite request to end, and has a child of its own: only killing the group ends both.
process.on('SIGTERM', () => note('asked to end'))
const grandchild = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
note(`started ${process.pid} ${grandchild.pid}`)

// What is no message must not break the bridge.
console.log('Welcome to the lab!')

const server = new Server({ name: 'lab', version: '1' }, { capabilities: { tools: { listChanged: true } } })

const text = (/** @type {string} */ value) => ({
  content: [{ type: /** @type {const} */ ('text'), text: value }],
})
const inputSchema = { type: /** @type {const} */ ('object') }

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: ['environment', 'count', 'hang', 'ask', 'crash'].map((name) => ({ name, inputSchema })),
}))

server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
  const progressToken = params._meta?.progressToken ?? ''
  switch (params.name) {
    case 'environment':
      return text(JSON.stringify(process.env))
    case 'count':
      for (let progress = 1; progress <= 3; progress += 1) {
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 3 },
        })
      }
      return text('counted')
    case 'hang':
      note('hanging')
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          note('cancelled')
          resolve(text('cancelled'))
        })
      })
    case 'ask': {
      const requestedSchema = {
        type: /** @type {const} */ ('object'),
        properties: { name: { type: /** @type {const} */ ('string') } },
      }
      const answer = await server.elicitInput({ mode: 'form', message: 'Who are you?', requestedSchema })
      return text(JSON.stringify(answer))
    }
    default:
      note('crashing')
      process.exit(3)
  }
})

// Most clients do not listen yet when this comes.
server.oninitialized = () => void server.sendToolListChanged()

await server.connect(new StdioServerTransport())
