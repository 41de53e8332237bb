import { cleanupWebMCPPolyfill, initializeWebMCPPolyfill } from '@mcp-b/webmcp-polyfill'
import type { WebMCPContext, WebMCPRegisteredTool, WebMCPToolInit } from 'offstage/interop'
import { onTestFinished } from 'vitest'
import { pageContext } from '../../../src/interop/webmcp/model-context.ts'

/** The page's own context: the engine's, which the tests switch on, or the polyfill's in its place. */
export const contexts: readonly (readonly [string, () => WebMCPContext])[] = [
  ['Chromium', engineContext],
  ['the polyfill', polyfillContext],
]

function engineContext(): WebMCPContext {
  const context = pageContext()
  if (context === undefined) throw new Error('Chromium was started without --enable-features=WebMCP.')
  return context
}

function polyfillContext(): WebMCPContext {
  withoutContext()
  initializeWebMCPPolyfill()
  onTestFinished(() => cleanupWebMCPPolyfill())
  return engineContext()
}

/** Makes this a page of a browser that has no WebMCP, until the test is over. */
export function withoutContext(): void {
  for (const prototype of [Document.prototype, Navigator.prototype]) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, 'modelContext')
    if (descriptor === undefined) continue
    Reflect.deleteProperty(prototype, 'modelContext')
    onTestFinished(() => {
      Object.defineProperty(prototype, 'modelContext', descriptor)
    })
  }
}

/** Registers a tool as a script of the page would; gives the way to take it away. */
export async function register(
  context: WebMCPContext,
  tool: Partial<WebMCPToolInit> & Pick<WebMCPToolInit, 'name'>,
): Promise<() => void> {
  const controller = new AbortController()
  const { signal } = controller
  const made = { description: `The page's ${tool.name}.`, execute: async () => 'done', ...tool }
  await context.registerTool(made, { signal })
  onTestFinished(() => controller.abort())
  return () => controller.abort()
}

/** Calls a tool as an agent of the browser would. */
export async function callAsAgent(
  context: WebMCPContext,
  name: string,
  input: object | string = {},
  options: { readonly signal?: AbortSignal } = {},
): Promise<unknown> {
  const tool = await registered(context, name)
  const isPolyfill = '__isWebMCPPolyfill' in context
  const sent = isPolyfill && typeof input !== 'string' ? JSON.stringify(input) : input
  const answer = await context.executeTool?.(tool, sent, options)
  if (typeof answer !== 'string' || !/^[[{]/.test(answer)) return answer
  return JSON.parse(answer)
}

/** What the context lists under a name. */
export async function registered(context: WebMCPContext, name: string): Promise<WebMCPRegisteredTool> {
  const listed = (await context.getTools?.()) ?? []
  const found = listed.find((tool) => tool.name === name)
  if (found === undefined) throw new Error(`${name} is not among ${listed.map((tool) => tool.name)}.`)
  return found
}
