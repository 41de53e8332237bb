import type { StdioServer } from './bridge/stdio-server.ts'
import type { WebSearchOptions } from './search/web-search.ts'

/** A whole command of a program without built-in rules, word by word: it runs exactly so, or not at all. */
export interface CompanionCommand {
  readonly argv: readonly string[]
}

/** What {@link startCompanion} takes. All of it comes from the person who starts it, never from a page. */
export interface CompanionOptions {
  /** Pages that may use it: whole origins, such as `http://localhost:5173`. @default Vite's: port 5173 of `http://localhost` and `http://127.0.0.1` */
  readonly origins?: readonly string[]
  /** On 127.0.0.1. @default 0: any that is free */
  readonly port?: number
  /** Programs that the tool `shell` may run, of those with built-in rules: `git`, `ls`, `grep` … @default none */
  readonly allow?: readonly string[]
  /** Folders that commands may read; they run in the first. @default the one in which the companion was started */
  readonly roots?: readonly string[]
  /** Commands of other programs. @default none */
  readonly commands?: readonly CompanionCommand[]
  /** Variables added to the small environment of commands. */
  readonly env?: Readonly<Record<string, string>>
  /** MCP servers on standard input and output, by the name under which pages reach them. */
  readonly mcp?: Readonly<Record<string, StdioServer>>
  /** How `web_search` works; keys are read from the environment and from nowhere else. */
  readonly search?: WebSearchOptions
  /** How long a pairing link can be used, in milliseconds. @default 300000 */
  readonly linkLifetimeMs?: number
  /** After so long without a call the process of an MCP server is ended, in milliseconds. @default 600000 */
  readonly idleMs?: number
  /** The largest request that is read, in bytes. @default 4000000 */
  readonly maxBodyBytes?: number
  /** Told what happens, line by line, for a terminal. @default nobody */
  log?(line: string): void
}

/** The options with what holds where they say nothing. */
export type CompanionSettings = Required<Omit<CompanionOptions, 'origins'>> & {
  readonly origins: ReadonlySet<string>
}

/**
 * Checks the options of a companion and fills in the defaults.
 *
 * @throws Error that says which is wrong, and what to write instead.
 */
export function checkCompanionOptions(options: CompanionOptions): CompanionSettings {
  const known = new Set(Object.keys({ ...defaults, origins: true }))
  const unknown = Object.keys(options).find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new Error(`There is no option "${unknown}". There are: ${[...known].join(', ')}.`)
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const settings: Required<Omit<CompanionOptions, 'origins'>> = {
    ...defaults,
    roots: [process.cwd()],
    ...given,
  }
  const { port, mcp } = settings
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`port is ${String(port)}: give a whole number from 0 to 65535; 0 takes any that is free.`)
  }
  for (const name of ['linkLifetimeMs', 'idleMs', 'maxBodyBytes'] as const) {
    if (!(settings[name] > 0)) throw new Error(`${name} is ${String(settings[name])}: give a number above 0.`)
  }
  for (const [name, server] of Object.entries(mcp)) checkServer(name, server)
  return { ...settings, origins: new Set((options.origins ?? usualOrigins).map(checkOrigin)) }
}

/** Where Vite serves an app that is being written. */
export const usualOrigins: readonly string[] = ['http://localhost:5173', 'http://127.0.0.1:5173']

const defaults: Required<Omit<CompanionOptions, 'origins' | 'roots'>> & {
  readonly roots: readonly string[]
} = {
  ...{ port: 0, allow: [], roots: [], commands: [], env: {}, mcp: {}, search: {} },
  ...{ linkLifetimeMs: 300_000, idleMs: 600_000, maxBodyBytes: 4_000_000 },
  log: () => {},
}

function checkOrigin(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  // Exactly what a browser sends: anything else would never match, and nobody would know why.
  if (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    (given === url.origin || given === `${url.origin}/`)
  ) {
    return url.origin
  }
  throw new Error(
    `The origin ${JSON.stringify(given)} is none. Give scheme, host and port of your page and nothing else, such as ` +
      'http://localhost:5173; there is no wildcard.',
  )
}

function checkServer(name: string, server: StdioServer): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name) || name === 'companion') {
    throw new Error(
      `The MCP server ${JSON.stringify(name)} needs another name: 1 to 64 letters, digits, "_" or "-", and not ` +
        '"companion", which is the companion itself.',
    )
  }
  if (typeof server.command !== 'string' || server.command === '') {
    throw new Error(
      `The MCP server "${name}" has no command. Write the program, and its arguments in "args".`,
    )
  }
}
