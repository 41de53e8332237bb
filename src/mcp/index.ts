export { CompanionError, type CompanionErrorCode } from './companion-error.ts'
export {
  type CompanionProblem,
  type CompanionTexts,
  companionTextsEn,
  companionTextsZh,
} from './companion-texts.ts'
export { type CompanionConnectOptions, connectCompanion } from './connect-companion.ts'
export type { CompanionServerOptions, ConnectedCompanion } from './connected-companion.ts'
export {
  type ElicitationAnswer,
  type ElicitationRequest,
  McpError,
  type McpErrorCode,
} from './connection/mcp-connection.ts'
export type { ServerTool, SetAside, ToolAnnotations } from './definitions/server-tool.ts'
export type { ToolFlag, ToolFlagKind } from './definitions/tool-flag.ts'
export { MCPClient } from './mcp-client.ts'
export type { MCPCall, MCPClientOptions, MCPHeaders, MCPQuestion } from './mcp-options.ts'
export type { MCPStatus } from './mcp-status.ts'
export { type MCPTexts, mcpTextsEn } from './mcp-texts.ts'
export { mcpTextsZh } from './mcp-texts-zh.ts'
export type { MCPTool } from './mcp-tool.ts'
export type {
  AuthorizationEvent,
  MCPAuth,
  ServerAuthorization,
} from './oauth/authorization.ts'
export { AuthorizationError, type AuthorizationErrorCode } from './oauth/authorization-error.ts'
export { finishAuthorization } from './oauth/finish-authorization.ts'
export { oauth } from './oauth/oauth.ts'
export type { OAuthOptions } from './oauth/oauth-options.ts'
export { memoryTokenStore, sessionTokenStore, type TokenStore } from './oauth/token-store.ts'
export type { PinState } from './pins/check-pins.ts'
export { exportPins, importPins, type PinImport, type PinsFile } from './pins/export-pins.ts'
export { indexedDBPinStore } from './pins/indexeddb-pin-store.ts'
export { keyValuePinStore, memoryPinStore, type PinStore } from './pins/pin-store.ts'
export type { PinnedServer, ServerPins, ToolPin } from './pins/server-pins.ts'
export type { PromptMessage, PromptMessages } from './results/read-prompt-messages.ts'
export type { ResourceContent, ResourceContents } from './results/read-resource-contents.ts'
export type { MCPList, MCPPrompt, MCPResource, MCPResourceTemplate } from './server-lists.ts'
export type { ShownTool } from './shown-tool.ts'
