/** An MCP server that speaks over its standard input and output, and how to start it. */
export interface StdioServer {
  /** The program: a name on the PATH, or a path. It is started as it is, without a shell. */
  readonly command: string
  readonly args?: readonly string[]
  /** Added to a small environment (PATH, HOME, language); nothing else of the companion's own is passed on. */
  readonly env?: Readonly<Record<string, string>>
  /** Where it runs. @default the folder in which the companion was started */
  readonly cwd?: string
}

const inherited = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'],
  ...['SystemRoot', 'SystemDrive', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'TEMP', 'TMP', 'PATHEXT'],
]

/** The environment of a server: no key that the companion was given, unless the user gives it to the server too. */
export function serverEnvironment({ env }: StdioServer): Record<string, string> {
  const own = inherited.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(own), ...env }
}
