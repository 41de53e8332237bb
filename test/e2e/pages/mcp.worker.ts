import { tool } from 'offstage'
import { MCPClient } from 'offstage/mcp'
import { serveTools } from 'offstage/worker'

const refused: string[] = []
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  refused.push(`${effectiveDirective} blocked ${blockedURI}`)
})

const violations = tool({
  name: 'violations',
  description: 'Tells what the policy of the worker has refused.',
  parallelSafe: true,
  execute: () => refused,
})

// The address comes with the worker's name: the server of the test is on a port of its own.
const client = new MCPClient({ url: self.name, namespace: 'lab', needsApproval: false })

serveTools([violations, client])
