// The public surface of the package. Adding a line here is a decision about the API.

// Tools:

export { jsonSchema } from './tool/json-schema.ts'
export type { JsonObject, JsonValue, ToolIssue } from './tool/json-value.ts'
export { parameters, type ToolParameter } from './tool/parameters.ts'
export type { RunContext, ToolApproval } from './tool/run-context.ts'
export type { StandardSchema } from './tool/standard-schema.ts'
export { type FunctionToolOptions, type InputOf, Tool, tool, type WireInputOf } from './tool/tool.ts'
export type { DefinitionLabels, Effect, ToolDefinition, ToolLabels } from './tool/tool-definition.ts'
export type { ToolOptions } from './tool/tool-options.ts'
export type { ToolOrigin } from './tool/tool-origin.ts'
export {
  type ResponsePart,
  type ResponseStatus,
  ToolResponse,
  type ToolResponseExtras,
} from './tool/tool-response.ts'
export { transfer } from './tool/transfer.ts'

// Errors and texts:

export {
  ApprovalRequired,
  isToolError,
  ModelRetry,
  ToolError,
  type ToolErrorCode,
  ToolFailed,
  ToolRegistrationError,
  ToolWorkerError,
} from './tool/errors.ts'
export { type ModelTexts, modelTextsEn } from './tool/model-texts.ts'
export { modelTextsZh } from './tool/model-texts-zh.ts'

// Where tools come from:

export type { CallOutcome, Preflight } from './tool/call-outcome.ts'
export type { ToolInput } from './toolset/gather.ts'
export type { ToolPermissions } from './toolset/tool-permissions.ts'
export type { CallStart, ListedTool, LogEntry, SourceCallOptions, ToolSource } from './toolset/tool-source.ts'
export { Toolkit, type ToolkitOptions } from './toolset/toolkit.ts'
export {
  type ServedCall,
  type ServedInput,
  type ServedName,
  type ServedTools,
  WorkerToolset,
  type WorkerToolsetOptions,
} from './worker/worker-toolset.ts'

// Running calls:

export type { ApprovalDecision, ApprovalRequest, ConfirmHandler } from './execution/approval.ts'
export type { ExecutionEvent } from './execution/execution-event.ts'
export type { MiddlewareContext, MiddlewareResult, NextCall, ToolMiddleware } from './execution/middleware.ts'
export type { RegisterAllOptions, RegisterAllReport, ToolLike } from './execution/plan-registration.ts'
export { type ExecuteOptions, ToolExecutor, type ToolExecutorOptions } from './execution/tool-executor.ts'
export {
  type AnyTool,
  type OpenAITool,
  type RegisterOptions,
  ToolRegistry,
} from './execution/tool-registry.ts'
export type {
  CallEnding,
  CallRequest,
  KnownCall,
  Settlement,
  ToolCall,
  ToolResult,
  TypedCall,
} from './execution/tool-result.ts'

// The in-page dialog:

export { type ConfirmDialogOptions, confirmDialog } from './dialog/confirm-dialog.ts'
export { type DialogTexts, dialogTextsEn } from './dialog/dialog-texts.ts'
export { dialogTextsZh } from './dialog/dialog-texts-zh.ts'

// Storage:

export { openFolder } from './storage/open-folder.ts'
export { StorageError, type StorageErrorCode } from './storage/storage-error.ts'

// The agent:

export { Agent, type AgentOptions, type RunOptions } from './agent/agent.ts'
export type { RunLimits } from './agent/limits.ts'
export type { Message, MessageCall, MessageResult } from './agent/message.ts'
export type { ModelAdapter, ModelEvent, ModelFinish, ModelRequest, Usage } from './agent/model-adapter.ts'
export { RunError } from './agent/run-error.ts'
export type { AgentEvent, FinishReason, RunResult, RunStep } from './agent/run-result.ts'
