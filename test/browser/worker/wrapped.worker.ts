import { ToolRegistry, tool, wrapped } from 'offstage'
import { serveTools } from 'offstage/worker'

const registry = new ToolRegistry()
registry.register(tool({ name: 'guarded', description: 'Guarded.', execute: () => 'ran' }))

serveTools(wrapped(registry.toolset(), { before: () => {} }))
