export { type AgentSessionView, useAgentSession } from './use-agent-session.ts'
export { usePendingApprovals } from './use-pending-approvals.ts'
export { type PageToolOptions, useTool } from './use-tool.ts'
