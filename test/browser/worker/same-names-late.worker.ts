import { ToolRegistry, tool } from 'offstage'
import { serveTools } from 'offstage/worker'

const one = tool({ name: 'twice', description: 'The first of its name.', execute: () => 1 })
const registry = new ToolRegistry()
registry.register(tool({ name: 'twice', description: 'The second of its name.', execute: () => 2 }))

// Two sources are compared only when they are listed.
serveTools([one, registry.toolset()])
