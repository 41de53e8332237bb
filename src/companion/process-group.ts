import { type ChildProcess, spawn } from 'node:child_process'

const live = new Set<ChildProcess>()
const isWindows = process.platform === 'win32'

/** A process that was asked to end is killed after so long, in milliseconds. */
const graceMs = 500

/**
 * Counts a child as this companion's: what it starts ends with it, and all of it ends with the companion. The child must
 * lead a process group (`detached`, but not on Windows, which has none); `npx` alone makes three processes of one server.
 * A program that moves itself to another group is out of reach.
 */
export function ownGroup(child: ChildProcess): void {
  // It could not be started.
  if (child.pid === undefined) return
  if (live.size === 0) process.on('exit', killAll)
  live.add(child)
  child.once('exit', () => {
    live.delete(child)
    if (live.size === 0) process.off('exit', killAll)
    // The leader may leave others behind.
    signalGroup(child, 'SIGKILL')
  })
}

/** Kills a child and all that it started, at once. */
export function killGroup(child: ChildProcess): void {
  if (!live.has(child)) return
  if (isWindows) killTree(child)
  else signalGroup(child, 'SIGKILL')
}

/** Asks a child and all that it started to end, and kills what does not; resolves when it is over. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (!live.has(child)) return
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // On Windows this is all the asking there is: a signal would end the child alone, and at once.
  child.stdin?.end()
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => killGroup(child), graceMs)
  await exited
  clearTimeout(timer)
}

/** At the end of the process there is no time to ask. */
function killAll(): void {
  for (const child of live) killGroup(child)
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || isWindows) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nothing of it is left.
  }
}

function killTree({ pid }: ChildProcess): void {
  const program = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\taskkill.exe`
  const settings = { stdio: 'ignore', windowsHide: true } as const
  spawn(program, ['/PID', String(pid), '/T', '/F'], settings).on('error', () => {})
}
