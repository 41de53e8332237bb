export type { HostExecutorOptions } from './host-options.ts'
export { type ExposeWebMCPOptions, exposeWebMCP, type WebMCPExposure } from './webmcp/expose-webmcp.ts'
export { fromWebMCP } from './webmcp/from-webmcp.ts'
export type {
  WebMCPAnnotations,
  WebMCPContext,
  WebMCPRegisteredTool,
  WebMCPToolInit,
} from './webmcp/model-context.ts'
export type { FromWebMCPOptions } from './webmcp/webmcp-options.ts'
export type { WebMCPTool } from './webmcp/webmcp-tool.ts'
export type { WebMCPToolset } from './webmcp/webmcp-toolset.ts'
