import { checkWebMCPOptions, type FromWebMCPOptions } from './webmcp-options.ts'
import { WebMCPToolset } from './webmcp-toolset.ts'

/**
 * The WebMCP tools of this page, and of frames that expose theirs to it, as a source under the origin
 * `webmcp:https://…`. They are somebody else's, like those of an MCP server: a person is asked before each call, a tool
 * that changes asks with the difference, their words and results are not trusted, and their hints may make a label
 * stricter but never looser. `labelled()` gives other labels to tools that the app knows better.
 *
 * Tools that this page has exposed itself are left out. It touches nothing until it is first listed, and follows the
 * page from then on. Without WebMCP it offers nothing, and `notes()` says why.
 *
 * @throws {@link ToolRegistrationError} for an option that cannot be.
 * @example
 * const page = fromWebMCP({ origins: ['https://shop.example'] })
 * const agent = new Agent({ model, tools: [page], confirm: confirmDialog() })
 */
export function fromWebMCP(options: FromWebMCPOptions = {}): WebMCPToolset {
  return new WebMCPToolset(checkWebMCPOptions(options))
}
