import { ToolExecutor, type ToolResult } from 'offstage'
import { type ElicitationAnswer, type ElicitationRequest, MCPClient, memoryPinStore } from 'offstage/mcp'

/** What a call of a tool came to, as far as it can be sent from a worker or a page. */
export interface CallReport {
  readonly outcome: ToolResult['outcome']
  readonly text: string
  readonly data?: unknown
  /** Type and media type of each part. */
  readonly parts?: readonly string[]
  readonly progress?: readonly unknown[]
}

/** What the tools of server-everything did. */
export interface EverythingReport {
  /** The tools that were offered, by the server's names. */
  readonly tools: readonly string[]
  /** What was set aside, with reasons. */
  readonly setAside: readonly string[]
  readonly calls: Readonly<Record<string, CallReport>>
  readonly asked: readonly string[]
  /** What the Content Security Policy of the page, or of the worker, did not allow. */
  readonly violations: readonly string[]
}

const inputs: readonly (readonly [name: string, input: object])[] = [
  ['echo', { message: 'hello' }],
  ['get-sum', { a: 2, b: 3 }],
  ['trigger-long-running-operation', { duration: 0.4, steps: 4 }],
  ['get-structured-content', { location: 'Chicago' }],
  ['get-tiny-image', {}],
  ['get-resource-links', { count: 2 }],
  ['get-resource-reference', { resourceType: 'Blob', resourceId: 1 }],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,aaaa', outputType: 'resource' }],
  ['get-env', {}],
  ['toggle-simulated-logging', {}],
  ['toggle-subscriber-updates', {}],
  ['trigger-elicitation-request', {}],
  ['trigger-url-elicitation', { url: 'https://example.com/pay' }],
  ['simulate-research-query', { topic: 'tides' }],
]

/** Calls each tool of a server-everything once, as an agent does. */
export async function callEverything(url: string, canAsk: boolean): Promise<EverythingReport> {
  const violations: string[] = []
  // Node has no such events.
  globalThis.addEventListener?.('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent
    violations.push(`${effectiveDirective}: ${blockedURI}`)
  })
  const asked: string[] = []
  const elicit = async ({ url: address, message }: ElicitationRequest): Promise<ElicitationAnswer> => {
    asked.push(address ?? message)
    return { action: 'accept', ...(address === undefined && { content: { name: 'Ada', integer: 7 } }) }
  }
  const client = new MCPClient({
    ...{ url, namespace: 'all', needsApproval: false, pinStore: memoryPinStore() },
    ...(canAsk && { elicit }),
  })
  const progress = new Map<string, unknown[]>()
  const executor = new ToolExecutor({
    tools: [client],
    onEvent: (event) => {
      if (event.type === 'progress')
        progress.set(event.callId, [...(progress.get(event.callId) ?? []), event.value])
    },
  })
  try {
    await client.connect()
    const calls: Record<string, CallReport> = {}
    for (const [name, input] of inputs) {
      if (!canAsk && name.includes('elicitation')) continue
      const result = await executor.execute({ name: `all_${name}`, input })
      calls[name] = report(result, progress.get(result.call.id))
    }
    return {
      tools: client.tools.map(({ originalName }) => originalName),
      setAside: client.setAside.map(({ names, reason }) => `${names.join()}: ${reason}`),
      calls,
      ...{ asked, violations },
    }
  } finally {
    await client.close()
  }
}

function report({ outcome, response }: ToolResult, progress: readonly unknown[] | undefined): CallReport {
  const { text, data, parts } = response
  return {
    outcome,
    text,
    ...(data !== undefined && { data }),
    ...(parts !== undefined && { parts: parts.map(({ type, mediaType }) => `${type} ${mediaType}`) }),
    ...(progress !== undefined && { progress }),
  }
}
