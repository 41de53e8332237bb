import type { JsonObject } from '../../tool/json-value.ts'
import { hasMethods } from '../../tool/value-kinds.ts'

/** What a page says of its tool's behaviour (WebMCP, `ToolAnnotations`). Hints: nobody checks them. */
export interface WebMCPAnnotations {
  readonly readOnlyHint?: boolean
  readonly untrustedContentHint?: boolean
  /** In Chromium since 156; not in the draft of 2026-08. */
  readonly consequentialHint?: boolean
}

/** A tool as `registerTool` takes it (WebMCP, `ModelContextTool`). */
export interface WebMCPToolInit {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema?: JsonObject
  readonly annotations?: WebMCPAnnotations
  execute(input: unknown, client?: { readonly signal?: AbortSignal }): Promise<unknown>
}

/** A tool as `getTools` gives it (WebMCP, `RegisteredTool`). */
export interface WebMCPRegisteredTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON text of it in Chrome 149 to 153. */
  readonly inputSchema?: JsonObject | string
  readonly annotations?: WebMCPAnnotations
  readonly origin: string
  readonly window?: unknown
}

/**
 * The part of a page's `ModelContext` that the library uses: the WebMCP draft of 2026-08, Chrome since 149, and
 * `@mcp-b/webmcp-polyfill` have it.
 */
export interface WebMCPContext {
  registerTool(
    tool: WebMCPToolInit,
    options?: { readonly signal?: AbortSignal; readonly exposedTo?: readonly string[] },
  ): unknown
  getTools?(options?: { readonly fromOrigins?: readonly string[] }): Promise<readonly WebMCPRegisteredTool[]>
  executeTool?(
    tool: WebMCPRegisteredTool,
    input: unknown,
    options?: { readonly signal?: AbortSignal },
  ): Promise<unknown>
  addEventListener?(type: 'toolchange', listener: () => void): void
  removeEventListener?(type: 'toolchange', listener: () => void): void
}

/** The page's own; undefined in browsers without WebMCP, on insecure pages, and outside of a page. */
export function pageContext(): WebMCPContext | undefined {
  const { document, navigator } = globalThis as { document?: unknown; navigator?: unknown }
  // The navigator's is the older place, which warns when it is looked at.
  return contextOf(document) ?? contextOf(navigator)
}

function contextOf(holder: unknown): WebMCPContext | undefined {
  const { modelContext } = Object(holder) as { readonly modelContext?: unknown }
  return hasMethods(modelContext, 'registerTool') ? (modelContext as WebMCPContext) : undefined
}

/** Why a browser offers none, and what helps. */
export const noContext: string =
  'This page has no WebMCP (document.modelContext). It needs a browser that has it, an https or localhost page, ' +
  'and, in a frame, allow="tools"; or load @mcp-b/webmcp-polyfill first.'
