import { parseArgs } from 'node:util'
import { startServer } from './server.mjs'

try {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4390' },
      origin: { type: 'string', multiple: true, default: [] },
    },
  })
  const { url } = await startServer({ port: Number(values.port), origins: values.origin })
  console.log(`The demo MCP server is at ${url}\nAdd it in the story “MCP” of the demo. Ctrl+C ends it.`)
} catch (error) {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  console.error(isTaken ? 'The port is taken. Name another: npm run demo:mcp -- --port 4391' : String(error))
  process.exitCode = 1
}
