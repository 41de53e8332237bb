import { type JsonObject, type ToolLabels, ToolResponse, Toolset } from 'offstage'
import { expect } from 'vitest'
import type { SourceTraits } from '../tool-source-contract.ts'
import { contractTools } from '../tool-source-contract-tools.ts'
import type { LabTool } from './lab-options.ts'
import { textResult } from './lab-tools.ts'

const source = new Toolset([...contractTools])

/** The tools of the contract as a server of another maker has them: only what the protocol has words for is left. */
export const contractLabTools: readonly LabTool[] = contractTools.map(({ definition }) => ({
  definition: {
    name: definition.name,
    description: definition.description,
    inputSchema: definition.inputSchema,
  },
  call: async (input, { signal, progress }) => {
    const outcome = await source.call(definition.name, input, {
      signal,
      onProgress: (value) => progress(Number(value) || 0),
    })
    if (outcome.kind === 'crash') throw new Error(`${outcome.error.name}: ${outcome.error.message}`)
    if (outcome.kind === 'response') return textResult(outcome.response.text)
    const { message = '', reason = message } = outcome as { message?: string; reason?: string }
    return { ...textResult(reason), isError: true }
  },
}))

const labels: ToolLabels = { effect: 'external', egress: true, reads: 'private', externalContent: true }

const failure = (text: string) => ({ kind: 'response', response: ToolResponse.error(text) })

/** What is left of the contract over MCP, for a client whose namespace is `lab`. */
export const labTraits: SourceTraits = {
  origin: 'mcp:lab',
  labels,
  ends: {
    retry: failure('again, with more'),
    failed: failure('no way'),
    approval: failure('this is big'),
    deferred: { kind: 'response', response: { status: 'error', text: expect.stringContaining('end') } },
    crash: { kind: 'crash', error: { name: 'McpError', code: 'server' } },
  },
  progress: (value) => ({ progress: value }),
  noOutput: '(no output)',
  tellsRun: false,
}

/** The tool that asks by its input does so here too: the protocol cannot say that, an app can. */
export function asksAboutBigPayments({
  tool,
  input,
}: {
  readonly tool: string
  readonly input: JsonObject
}): boolean {
  return tool === 'pay' && Number(input.amount) > 100
}
