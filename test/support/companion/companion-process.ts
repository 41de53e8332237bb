import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../../run/project.ts'

/** The page that the companions of tests serve. */
export const pageOrigin = 'http://localhost:5173'

/** A companion that runs as a process of its own, as a person starts it. */
export interface CompanionProcess {
  readonly url: string
  readonly port: number
  /** The link that it printed last. */
  link(): string
  /** Presses Enter, and waits for the new link. */
  newLink(): Promise<string>
  /** All that it printed. */
  output(): string
  /** Sends a signal, and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the built bin. */
export async function startCompanionProcess(
  programArguments: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CompanionProcess> {
  const child = runBin(programArguments, environment)
  let output = ''
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  let heard = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece) => {
      output += piece
      heard()
    })
  }
  const links = () => output.match(/http:\/\/127\.0\.0\.1:\d+\/#pair=\S+/g) ?? []
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      heard = () => {
        if (holds()) resolve()
      }
      heard()
      void exited.then(() => reject(new Error(`the companion has ended: ${output}`)))
    })
  await until(() => links().length > 0)
  const url = new URL(links()[0] as string)
  return {
    url: url.origin,
    port: Number(url.port),
    link: () => links().at(-1) as string,
    async newLink() {
      const before = links().length
      child.stdin?.write('\n')
      await until(() => links().length > before)
      return links().at(-1) as string
    },
    output: () => output,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return await exited
    },
  }
}

/** Runs a bin to its end: the built one, or a copy of it. */
export async function runBinToEnd(
  programArguments: readonly string[],
  bin?: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = runBin(programArguments, {}, bin)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output }
}

function runBin(
  programArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
  bin = join(root, 'dist/companion/bin.js'),
): ChildProcess {
  return spawn(process.execPath, [bin, ...programArguments], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}
