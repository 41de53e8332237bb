import { Agent, ApprovalQueue, memoryRunStore, ToolRegistry, type ToolResult, WorkerToolset } from 'offstage'
import { restartService } from '../05-agent/restart-service.ts'
import type { tools } from '../05-agent/tools.worker.ts'
import { chosenModel } from './endpoint.ts'
import { modelPanel } from './model-panel.ts'

/** What a chat page is made of, whatever draws it. */
export interface ChatKit {
  readonly agent: Agent
  /** The questions of the agent, for the page to show. */
  readonly approvals: ApprovalQueue
  /** For the tools of the page itself. */
  readonly registry: ToolRegistry
  /** Chooses the model. */
  readonly modelPanel: HTMLElement
  /** How a call ended, also where it ran and for how long; undefined before. */
  resultOf(callId: string): ToolResult | undefined
  close(): void
}

/** Makes an agent whose questions wait in the page, and whose model the person chooses. */
export function chatKit(): ChatKit {
  const workerTools = new WorkerToolset<typeof tools>(
    () => new Worker(new URL('../05-agent/tools.worker.ts', import.meta.url), { type: 'module' }),
  )
  const approvals = new ApprovalQueue()
  const registry = new ToolRegistry()
  const panel = modelPanel()
  const results = new Map<string, ToolResult>()
  const agent = new Agent({
    model: chosenModel(panel.chosen),
    instructions:
      'You look after the services checkout, search and mail. Be brief. Answer in plain text, without Markdown.',
    tools: [workerTools, restartService, registry.toolset()],
    confirm: approvals.confirm,
    // What failed can be tried again from where it stood.
    store: memoryRunStore(),
    observers: [
      (event) => {
        if (event.type === 'result') results.set(event.callId, event.result)
      },
    ],
  })
  return {
    ...{ agent, approvals, registry },
    modelPanel: panel.element,
    resultOf: (callId) => results.get(callId),
    close: () => void workerTools.close(),
  }
}
