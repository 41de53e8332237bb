import type { ProcessEnd } from './run-process.ts'
import type { CommandResult, Plan } from './shell.ts'
import type { ShellTexts } from './shell-texts.ts'

/** The limits that a command was run with. */
interface Limits {
  readonly timeoutMs: number
  readonly maxOutputChars: number
}

/** The result of a command that did not start. */
export function failedResult({ argv, program, folder }: Plan, text: string): CommandResult {
  return { text, status: 'error', exitCode: null, signal: null, truncated: false, argv, program, folder }
}

/** The result of a command that ended: what it printed, and a sentence on each thing that went otherwise. */
export function resultOf(plan: Plan, end: ProcessEnd, limits: Limits, texts: ShellTexts): CommandResult {
  const { exitCode, signal, stopped } = end
  const { argv, program, folder } = plan
  const printed = [end.output, end.complaints]
    .map((text) => text.replace(/\n+$/, ''))
    .filter((text) => text !== '')
  const notes = notesOn(end, limits, texts)
  const text = [...(printed.length > 0 ? printed : [texts.noOutput]), ...notes].join('\n')
  return {
    text,
    status: statusOf(end),
    exitCode,
    signal,
    truncated: stopped !== undefined,
    argv,
    program,
    folder,
  }
}

function statusOf({ exitCode, stopped }: ProcessEnd): CommandResult['status'] {
  if (stopped === undefined) return exitCode === 0 ? 'success' : 'partial'
  return stopped === 'output' ? 'partial' : 'error'
}

function notesOn({ exitCode, signal, stopped }: ProcessEnd, limits: Limits, texts: ShellTexts): string[] {
  if (stopped === 'output') return [texts.cut(String(limits.maxOutputChars))]
  if (stopped === 'time') return [texts.timedOut(String(limits.timeoutMs / 1000))]
  if (stopped === 'abort') return [texts.stopped]
  if (stopped !== undefined) return [texts.notStarted(stopped.reason)]
  if (signal !== null) return [texts.endedBySignal(signal)]
  return exitCode === 0 ? [] : [texts.exitCode(String(exitCode))]
}
