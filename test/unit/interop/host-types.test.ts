import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { installedPackages } from '../../support/interop/real-packages.ts'

const root = join(import.meta.dirname, '../../..')

const aiSDK = (version: string, stop: string) => `
import { type ChatTransport, generateText, type LanguageModel, ${stop}, tool, type UIMessage } from '${version}'
import { Agent, ToolRegistry, tool as ours } from 'offstage'
import { chatTransport, fromAISDKTools, standardTool, toAISDKTools } from 'offstage/interop'
declare const model: LanguageModel
declare const agent: Agent
const hi = ours({ name: 'hi', description: 'Greets.', execute: () => 'hello' })
const tools = await toAISDKTools(new ToolRegistry(), { approval: 'host' })
export const run = await generateText({ model, tools, prompt: 'go', stopWhen: ${stop}(5) })
const theirs = tool({ ...standardTool(hi), execute: async (input) => input })
export const source = await fromAISDKTools({ theirs }, { name: 'theirs' })
export const transport: ChatTransport<UIMessage> = chatTransport(agent)
`

/** What the README promises in one line each, with the types of the real packages. */
const files: Readonly<Record<string, string>> = {
  'ai-sdk-6.ts': aiSDK('ai6', 'stepCountIs'),
  'ai-sdk-7.ts': aiSDK('ai7', 'isStepCount'),
  'chats.ts': `
import { useChatRuntime } from '@assistant-ui/react-ai-sdk'
import { useChat } from '@ai-sdk/react'
import type { Agent } from 'offstage'
import { chatTransport } from 'offstage/interop'
declare const agent: Agent
export const chat = () => useChat({ transport: chatTransport(agent) })
export const runtime = () => useChatRuntime({ transport: chatTransport(agent) })
`,
  'agents.ts': `
import { Agent, tool } from '@openai/agents-core'
import { chat, toolDefinition } from '@tanstack/ai'
import { ChatClient, type ConnectConnectionAdapter } from '@tanstack/ai-client'
import { ToolRegistry, tool as ours } from 'offstage'
import { standardTool, toOpenAIAgentsTools, toTanStackTools } from 'offstage/interop'
declare const connection: ConnectConnectionAdapter
declare const adapter: Parameters<typeof chat>[0]['adapter']
const registry = new ToolRegistry()
const hi = ours({ name: 'hi', description: 'Greets.', execute: () => 'hello' })
export const clerk = new Agent({ name: 'Clerk', tools: await toOpenAIAgentsTools(registry) })
export const strict = tool({ ...standardTool(hi, { strict: true }), execute: async (input) => String(input) })
export const client = new ChatClient({ connection, tools: await toTanStackTools(registry) })
export const served = chat({ adapter, messages: [], tools: await toTanStackTools(registry, { side: 'server' }) })
export const defined = toolDefinition(standardTool(hi)).server(() => 'hello')
`,
}

it('the types of the real packages take what we give them', async () => {
  const folder = join(await installedPackages(), 'types')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code)
  const config = { extends: join(root, 'tsconfig.json'), include: ['.'], exclude: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
    {
      encoding: 'utf8',
    },
  )
  expect(stdout).toBe('')
}, 60_000)
