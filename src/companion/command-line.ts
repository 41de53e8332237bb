import { parseArgs } from 'node:util'
import type { StdioServer } from './bridge/stdio-server.ts'
import type { CompanionOptions } from './companion-options.ts'
import { readConfigFile } from './config-file.ts'
import { splitWords } from './split-words.ts'

/** What `--help` prints. */
export const helpText = `Usage: offstage-companion [options]

Lets pages that you pair run commands, search the web and reach MCP servers on this machine.
It listens on 127.0.0.1 only, and prints a link: paste that into your page.

  --allow NAMES       programs that may run, with commas between: git,ls,grep,find,cat,head,tail,wc,pwd,date,echo
  --root FOLDER       a folder that commands may read (again for more; commands run in the first); default: .
  --origin ORIGIN     a page that may use it (again for more); default: http://localhost:5173
                      and http://127.0.0.1:5173
  --port NUMBER       default: 0, any that is free
  --mcp NAME="CMD"    an MCP server on standard input and output (again for more)
  --config FILE       a JSON file with the same: allow, roots, origins, port, mcp { name: { command, args, env, cwd } },
                      and also commands [{ argv }] (whole commands of other programs) and env (for commands)
  --help              this text

Web search takes its keys from the environment: TAVILY_API_KEY, BRAVE_API_KEY, SERPAPI_API_KEY.
`

/**
 * Reads the arguments of the command; what they say is added to what the file says, and a port stands in its place.
 *
 * @throws Error that says which argument is wrong.
 */
export function readCommandLine(programArguments: readonly string[]): CompanionOptions | 'help' {
  const { values } = parseArgs({
    args: [...programArguments],
    options: {
      ...{ allow: { type: 'string', multiple: true }, root: { type: 'string', multiple: true } },
      ...{ origin: { type: 'string', multiple: true }, mcp: { type: 'string', multiple: true } },
      ...{ port: { type: 'string' }, config: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    },
  })
  if (values.help) return 'help'
  const file = values.config === undefined ? {} : readConfigFile(values.config)
  const allow = (values.allow ?? []).flatMap((names) => names.split(/[,\s]+/).filter((name) => name !== ''))
  const port = values.port === undefined ? file.port : Number(values.port || Number.NaN)
  const both = <T>(first: readonly T[] = [], second: readonly T[] = []) => {
    const all = [...first, ...second]
    return all.length === 0 ? undefined : all
  }
  const options = {
    ...file,
    port,
    allow: both(file.allow, allow),
    roots: both(file.roots, values.root),
    origins: both(file.origins, values.origin),
    mcp: { ...file.mcp, ...Object.fromEntries((values.mcp ?? []).map(readServer)) },
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function readServer(text: string): [string, StdioServer] {
  const [, name, line] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  const [command, ...args] = splitWords(line ?? '')
  if (name === undefined || command === undefined) {
    throw new Error(
      `--mcp ${JSON.stringify(text)}: write a name, "=" and a command, such as files="npx -y a-server ."`,
    )
  }
  return [name, { command, args }]
}
