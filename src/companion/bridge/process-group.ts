import type { ChildProcess } from 'node:child_process'

const live = new Set<ChildProcess>()

/** A process that was asked to end is killed after so long, in milliseconds. */
const graceMs = 500

/**
 * Counts a child as this companion's: it must be the leader of a process group (`detached`), so that what it starts ends
 * with it. `npx` alone makes three processes of one server.
 */
export function ownGroup(child: ChildProcess): void {
  // It could not be started.
  if (child.pid === undefined) return
  live.add(child)
  child.once('exit', () => {
    live.delete(child)
    // The leader may leave others behind.
    signalGroup(child, 'SIGKILL')
  })
}

/** Ends a child and all that it started; resolves when it is over. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (!live.has(child)) return
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.stdin?.end()
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
  await exited
  clearTimeout(timer)
}

/** At the end of the process there is no time to ask. */
export function killAllGroups(): void {
  for (const child of live) signalGroup(child, 'SIGKILL')
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    // Windows has no groups: there the child alone is ended, and what it started sees its input end.
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It is gone already.
  }
}
