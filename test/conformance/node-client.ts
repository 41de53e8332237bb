import { play } from './play.ts'
import { pretendPage } from './pretend-page.ts'

/** `node node-client.mjs URL`: what the suite's runner starts for each scenario. */

const { MCP_CONFORMANCE_SCENARIO: name = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env
const url = process.argv.at(-1) ?? ''
try {
  await play({ name, url, context: JSON.parse(context) }, pretendPage())
} catch (error) {
  console.error(error)
  process.exitCode = 1
}
// No process.exit(): a client that keeps Node running after close() is at fault, and the suite then sees a timeout.
