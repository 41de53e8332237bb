import { ToolRegistry, type ToolSource, tool } from 'offstage'
import { serveTools } from 'offstage/worker'

const tools = new ToolRegistry()
tools.register(tool({ name: 'unreached', description: 'Never listed.', execute: () => 1 }))

const source: ToolSource = {
  ...tools.toolset(),
  list: () => Promise.reject(new RangeError('the catalogue of this source is gone')),
}

serveTools(source)
