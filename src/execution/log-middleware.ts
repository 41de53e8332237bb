import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { ToolMiddleware } from '../toolset/tool-middleware.ts'

/** What {@link logMiddleware} takes. */
export interface LogOptions {
  /** Takes one line. @default console.info */
  log?(line: string): void
  /** What of an input is shown, for example without a password. @default all of it */
  redact?(input: JsonObject, toolName: string): unknown
}

/** Longer inputs and errors are cut, in characters. */
const maxShownChars = 200

/**
 * Middleware that writes one line when a call comes in and one when it is over: name, input, outcome, how long it ran,
 * and the error if there was one. A call that is refused before it came to middleware (an unknown tool, one that is
 * not permitted) has the second line only. Nothing in it can fail a call.
 *
 * @throws {@link ToolRegistrationError} for an option that cannot be.
 */
export function logMiddleware(options: LogOptions = {}): ToolMiddleware {
  checkLogOptions(options)
  const { log = (line: string) => console.info(line), redact = (input: JsonObject) => input } = options
  const write = (line: () => string) => {
    try {
      log(line())
    } catch {
      // Whoever cannot write a log has nowhere to say so.
    }
  }
  return {
    name: 'log',
    before: ({ id, name, input }) => write(() => `${id} ${name} called with ${shown(redact(input, name))}`),
    after: (result) => write(() => endLine(result)),
  }
}

function endLine({ call, outcome, durationMs, error, lane }: ToolResult): string {
  const time = durationMs === undefined ? '' : ` after ${durationMs.toFixed(1)} ms`
  const place = lane === undefined ? '' : ` on ${lane}`
  const reason = error === undefined ? '' : `: ${cut(`${error.name} (${error.code}), ${error.message}`)}`
  return `${call.id} ${call.name} ended with ${outcome}${time}${place}${reason}`
}

function shown(value: unknown): string {
  return cut(JSON.stringify(value) ?? String(value))
}

// One line stays one line, and no emoji is cut in two.
function cut(text: string): string {
  const line = text.slice(0, maxShownChars).replace(/\s+/g, ' ')
  return text.length <= maxShownChars ? line : `${line.replace(/[\uD800-\uDBFF]$/, '')}…`
}

function checkLogOptions(options: LogOptions): void {
  const where = 'logMiddleware()'
  checkOptions(options, ['log', 'redact'], where)
  for (const name of ['log', 'redact'] as const) {
    const given = options[name]
    if (given === undefined || typeof given === 'function') continue
    throw new ToolRegistrationError(`${where}, ${name}: expected a function.`)
  }
}
