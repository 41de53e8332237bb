// The public surface of the package. Adding a line here is a decision about the API.

// Tools:

export type { ArgumentRepair } from './tool/arguments/argument-repair.ts'
export type { JsonFault } from './tool/arguments/scan-json.ts'
export { jsonSchema } from './tool/json-schema.ts'
export type { JsonObject, JsonValue, ToolIssue } from './tool/json-value.ts'
export { parameters, type ToolParameter } from './tool/parameters.ts'
export type { PendingCall, PendingKind } from './tool/pending-call.ts'
export type { Destination, PolicyReason } from './tool/policy-reason.ts'
export type { RunContext, ToolApproval } from './tool/run-context.ts'
export type { StandardSchema } from './tool/standard-schema.ts'
export type { TaintSource } from './tool/taint-source.ts'
export { type FunctionToolOptions, type InputOf, Tool, tool, type WireInputOf } from './tool/tool.ts'
export type { ChangedField, ChangeSegment, ToolChange } from './tool/tool-change.ts'
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
  CallDeferred,
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
export { type PolicyTexts, policyTextsEn } from './tool/policy-texts.ts'
export { policyTextsZh } from './tool/policy-texts-zh.ts'
export type { FenceTexts, LongResultTexts, ResultPlace, ResultTexts } from './tool/result-texts.ts'

// Where tools come from:

export type { CallOutcome, Preflight } from './tool/call-outcome.ts'
export type { StepContext } from './tool/step-context.ts'
export { type ApprovalRule, approvalRequired } from './toolset/approval-required.ts'
export { type CombinedOptions, combined } from './toolset/combined.ts'
export { type DynamicSource, dynamic } from './toolset/dynamic.ts'
export type { DynamicOptions, FactoryCache } from './toolset/dynamic-options.ts'
export { type ExternalToolOptions, external } from './toolset/external.ts'
export { filtered } from './toolset/filtered.ts'
export type { ToolInput } from './toolset/gather.ts'
export type { ToolsGiven } from './toolset/items-of.ts'
export { labelled, type ToolsetLabels } from './toolset/labelled.ts'
export type { ListedTool } from './toolset/listed-tool.ts'
export type { MadeTools, ToolFactory } from './toolset/made-tools.ts'
export { prefixed } from './toolset/prefixed.ts'
export type { PrepareDefinition } from './toolset/prepare-definition.ts'
export { prepared } from './toolset/prepared.ts'
export { renamed } from './toolset/renamed.ts'
export { type SelectToolsOptions, selectTools } from './toolset/select-tools.ts'
export type {
  BeforeAnswer,
  MiddlewareContext,
  MiddlewareResult,
  NextCall,
  ToolMiddleware,
} from './toolset/tool-middleware.ts'
export type { ToolPermissions } from './toolset/tool-permissions.ts'
export type { OfferedName, ToolPredicate, ToolSelector } from './toolset/tool-selector.ts'
export type { CallStart, LogEntry, SourceCallOptions, SourceNote, ToolSource } from './toolset/tool-source.ts'
export { Toolkit, type ToolkitOptions } from './toolset/toolkit.ts'
export { Toolset } from './toolset/toolset.ts'
export { wrapped } from './toolset/wrapped.ts'
export {
  type ServedCall,
  type ServedInput,
  type ServedName,
  type ServedTools,
  WorkerToolset,
  type WorkerToolsetOptions,
} from './worker/worker-toolset.ts'

// Running calls:

export type { ApprovalRequest, ConfirmHandler } from './execution/approval.ts'
export { type CacheOptions, cacheMiddleware } from './execution/cache-middleware.ts'
export type { StageAnswer } from './execution/call-trail.ts'
export type { CleanedKinds } from './execution/clean-content.ts'
export type { ApprovalDecision, GrantDuration, GrantScope, Remember } from './execution/decision.ts'
export { defaultPolicy, strictPolicy } from './execution/default-policy.ts'
export type { ExecuteOptions } from './execution/execute-options.ts'
export type { ExecutionEvent } from './execution/execution-event.ts'
export type { ToolExecutorOptions } from './execution/executor-options.ts'
export { withoutFence } from './execution/fence.ts'
export type { ForTools } from './execution/for-tools.ts'
export type { Grant, GrantedTool } from './execution/grant.ts'
export { type GrantQuery, Grants, type GrantsOptions, type NewGrant } from './execution/grants.ts'
export { type LogOptions, logMiddleware } from './execution/log-middleware.ts'
export type { RegisterAllOptions, RegisterAllReport, ToolLike } from './execution/plan-registration.ts'
export type { Policy, PolicyAnswer, PolicyQuestion, PolicyRule } from './execution/policy-rule.ts'
export { memoryResultStore, opfsResultStore, type ResultStoreLimits } from './execution/result-files.ts'
export type { ResultStore } from './execution/result-store.ts'
export { type RetryOptions, retryMiddleware } from './execution/retry-middleware.ts'
export type { Taint } from './execution/taint.ts'
export { ToolExecutor } from './execution/tool-executor.ts'
export { type AnyTool, type RegisterOptions, ToolRegistry } from './execution/tool-registry.ts'
export type { OpenAITool } from './tool/describe-tools.ts'
export type {
  CallEnding,
  CallRequest,
  KnownCall,
  ResultTaint,
  Settlement,
  ToolCall,
  ToolResult,
  TypedCall,
} from './tool/tool-result.ts'

// Tools for providers:

export { describePortability } from './schema-dialects/describe-portability.ts'
export { type DialectTexts, dialectTextsEn } from './schema-dialects/dialect-texts.ts'
export { dialectTextsZh } from './schema-dialects/dialect-texts-zh.ts'
export {
  type AnthropicProjectionOptions,
  type AnthropicTool,
  forAnthropic,
} from './schema-dialects/for-anthropic.ts'
export { forGemini, type GeminiTool } from './schema-dialects/for-gemini.ts'
export { forMCP, type MCPDefinition, type MCPToolDefinition } from './schema-dialects/for-mcp.ts'
export { forOpenAI, type OpenAIProjectionOptions } from './schema-dialects/for-openai.ts'
export type { OpenAISchemaOptions } from './schema-dialects/openai-schema.ts'
export {
  type NamedProjection,
  type Project,
  type ProjectedTools,
  projectTools,
} from './schema-dialects/project-tools.ts'
export type { ProjectionLoss } from './schema-dialects/projected.ts'
export type { PortableDefinition, Projection, ProjectionOptions } from './schema-dialects/projection.ts'

// The in-page dialog:

export type { ChangeTexts } from './dialog/change-texts.ts'
export { type ConfirmDialogOptions, confirmDialog } from './dialog/confirm-dialog.ts'
export { type DialogTexts, dialogTextsEn } from './dialog/dialog-texts.ts'
export { dialogTextsZh } from './dialog/dialog-texts-zh.ts'
export type { EditorTexts } from './dialog/editor-texts.ts'
export {
  type ElicitationQuestion,
  type ElicitationReply,
  type ElicitDialogOptions,
  elicitDialog,
} from './dialog/elicit-dialog.ts'
export { type ElicitTexts, elicitTextsEn } from './dialog/elicit-texts.ts'
export { elicitTextsZh } from './dialog/elicit-texts-zh.ts'

export {
  defineGrantsElement,
  type GrantsElement,
  type GrantsElementOptions,
  grantsElement,
} from './dialog/grants-element.ts'
export { type GrantsTexts, grantsTextsEn } from './dialog/grants-texts.ts'
export { grantsTextsZh } from './dialog/grants-texts-zh.ts'

// Storage:

export { indexedDBStore } from './storage/indexeddb-store.ts'
export type { KeyValueStore } from './storage/key-value.ts'
export { memoryStore } from './storage/memory-store.ts'
export { openFolder } from './storage/open-folder.ts'
export { StorageError, type StorageErrorCode } from './storage/storage-error.ts'

// The agent:

export { Agent, type ResumeOptions, type RunOptions } from './agent/agent.ts'
export type { AgentOptions } from './agent/agent-options.ts'
export type { CallAnswer, CallAnswers } from './agent/answers.ts'
export { assertValidHistory } from './agent/assert-valid-history.ts'
export { type CompactOptions, compactHistory } from './agent/compact-history.ts'
export { finalAnswer } from './agent/final-answer.ts'
export type { HistoryDialect } from './agent/history-problems.ts'
export type { RunLimits, RunSoFar } from './agent/limits.ts'
export type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  Message,
  MessageCall,
  MessageResult,
  ProviderMetadata,
  ToolMessage,
  UserInput,
  UserMessage,
} from './agent/message.ts'
export type { ModelAdapter, ModelEvent, ModelFinish, ModelRequest, Usage } from './agent/model-adapter.ts'
export { indexedDBRunStore, memoryRunStore, runStore } from './agent/open-run-store.ts'
export {
  type OtelContext,
  type OtelObserverOptions,
  type OtelSpan,
  type OtelTracer,
  otelObserver,
} from './agent/otel-observer.ts'
export type { EndStrategy } from './agent/output-tool.ts'
export type { PendingRun } from './agent/pending-runs.ts'
export { RunError } from './agent/run-error.ts'
export type { AgentEvent, FinishReason, RunResult, RunStep } from './agent/run-result.ts'
export type { RunState } from './agent/run-state.ts'
export { RunStateError, type RunStateErrorCode } from './agent/run-state-error.ts'
export type { RunStore, StoredRun } from './agent/run-store.ts'
export { AgentSession, type SendOptions, type SessionOptions } from './agent/session.ts'
export { ApprovalQueue } from './agent/session-approvals.ts'
export type { CallActivity, OpenQuestion, SessionSnapshot, SessionStatus } from './agent/session-snapshot.ts'
export type { PickedTool, Picks, ToolPicker } from './agent/tool-picker.ts'
