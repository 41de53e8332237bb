import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Plan, Refusal, Shell } from '../shell/shell.ts'

/** Where a call says nothing. */
const usualTimeoutMs = 10_000
const usualOutputChars = 4_000

/** What a call of the tool `shell` is given beside its input. */
export interface ShellCallOptions {
  readonly signal: AbortSignal
  /** Told of output as it comes. */
  onOutput(text: string): void
}

/** Plans or runs a command. What was shown is what runs: with a digest, anything else is refused. */
export async function callShell(
  shell: Shell,
  input: Readonly<Record<string, unknown>>,
  { signal, onOutput }: ShellCallOptions,
): Promise<CallToolResult> {
  const { command, dryRun, digest, timeoutMs, maxOutputChars } = input
  if (typeof command !== 'string') return failed('command must be a string.', { code: 'invalid' })
  const plan = await shell.plan(command)
  if (plan.refused) return failed(plan.text, { code: plan.code })
  if (dryRun === true) return shown(plan)
  if (digest !== undefined && digest !== plan.digest) return failed(changed, { code: 'changed' })
  const result = await shell.run(plan, {
    ...{ signal, onOutput },
    timeoutMs: limit(timeoutMs, usualTimeoutMs),
    maxOutputChars: limit(maxOutputChars, usualOutputChars),
  })
  const { text, status, exitCode, signal: endedBy, truncated, argv, program, folder } = result
  return {
    content: [{ type: 'text', text }],
    structuredContent: { status, exitCode, signal: endedBy, truncated, argv, program, folder },
    isError: status === 'error',
  }
}

const changed =
  'What would run is not what was shown: the program, the folder or the rules have changed since. Nothing was run; ' +
  'ask for the command again.'

function limit(value: unknown, usual: number): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : usual
}

function shown({ words, argv, program, folder, digest }: Plan): CallToolResult {
  const plan = { words, argv, program, folder, digest }
  return { content: [{ type: 'text', text: JSON.stringify(plan) }], structuredContent: plan }
}

function failed(text: string, { code }: Pick<Refusal, 'code'>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { refused: true, code }, isError: true }
}
