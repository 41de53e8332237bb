#!/usr/bin/env node
import { helpText, readCommandLine } from './command-line.ts'
import { companionInfo } from './companion-info.ts'
import { usualOrigins } from './companion-options.ts'
import { type Companion, startCompanion } from './start-companion.ts'

// What servers print goes to a terminal: nothing of it may steer that.
const plain = (line: string) => line.replace(/[\p{Cc}\p{Cf}]/gu, ' ')
const say = (text: string) => void process.stdout.write(`${text}\n`)

/** Starts what the command line asks for, and ends it when the terminal says so. */
async function run(): Promise<void> {
  const options = readCommandLine(process.argv.slice(2))
  if (options === 'help') {
    process.stdout.write(helpText)
    return
  }
  const log = (line: string) => void process.stderr.write(`${plain(line)}\n`)
  const companion = await startCompanion({ ...options, log })
  let isEnding = false
  const end = () => {
    // Asked a second time: whatever does not end by itself is killed.
    if (isEnding) process.exit(1)
    isEnding = true
    void companion.close().finally(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  const { origins = usualOrigins, allow = [], commands = [], mcp = {} } = options
  say(`${companionInfo.name} ${companionInfo.version} on ${companion.url}`)
  say(`Pages that may use it: ${origins.join(', ')} (others with --origin)`)
  const commandCount = allow.length + commands.length
  say(
    `Programs: ${commandCount === 0 ? 'none (see --allow)' : [...allow, ...commands.map(({ argv }) => argv.join(' '))].join(', ')}`,
  )
  if (Object.keys(mcp).length > 0) say(`MCP servers: ${Object.keys(mcp).join(', ')}`)
  showLink(companion)
  process.stdin.on('data', () => showLink(companion))
}

function showLink(companion: Companion): void {
  say(
    `\nPaste this link into your page. It works once, within five minutes:\n\n  ${companion.pairingLink()}\n`,
  )
  say('Enter: a new link. Ctrl+C: end.')
}

run().catch((error: unknown) => {
  process.stderr.write(`${plain(error instanceof Error ? error.message : String(error))}\n`)
  process.exitCode = 1
})
