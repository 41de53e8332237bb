export type { AISDKCallOptions, AISDKContent, AISDKModelOutput, AISDKTool } from './ai-sdk-types.ts'
export { type ChatTransportOptions, chatTransport } from './chat-transport.ts'
export type { ChatChunk, ChatMessage, ChatQuestion, ChatRequest, ChatTransport } from './chat-types.ts'
export type { ForeignOptions } from './foreign-tools.ts'
export { type AISDKToolLike, fromAISDKTools } from './from-ai-sdk-tools.ts'
export { fromPlainTools, type PlainTool } from './from-plain-tools.ts'
export type { HostExecutorOptions } from './host-options.ts'
export type { HostOutput } from './host-output.ts'
export type { HostSchema, HostValidation } from './schema-for-hosts.ts'
export { type StandardTool, type StandardToolOptions, standardTool } from './standard-tool.ts'
export { type ToAISDKOptions, toAISDKTools } from './to-ai-sdk-tools.ts'
export {
  type OpenAIAgentsCallDetails,
  type OpenAIAgentsContent,
  type OpenAIAgentsParameters,
  type OpenAIAgentsTool,
  type ToOpenAIAgentsOptions,
  toOpenAIAgentsTools,
} from './to-openai-agents-tools.ts'
export {
  type TanStackCallContext,
  type TanStackContent,
  type TanStackSide,
  type TanStackTool,
  type ToTanStackOptions,
  toTanStackTools,
} from './to-tanstack-tools.ts'
export { type ExposeWebMCPOptions, exposeWebMCP, type WebMCPExposure } from './webmcp/expose-webmcp.ts'
export { fromWebMCP } from './webmcp/from-webmcp.ts'
export type {
  WebMCPAnnotations,
  WebMCPContext,
  WebMCPRegisteredTool,
  WebMCPToolInit,
} from './webmcp/model-context.ts'
export type { FromWebMCPOptions, WebMCPCall } from './webmcp/webmcp-options.ts'
export type { WebMCPTool } from './webmcp/webmcp-tool.ts'
export type { WebMCPToolset } from './webmcp/webmcp-toolset.ts'
