import { spawn } from 'node:child_process'

const running = new Set<number>()

/** Remembers a process that leads a group of its own, so that the group ends with this process at the latest. */
export function watchGroup(leader: number): void {
  if (running.size === 0) process.on('exit', endAll)
  running.add(leader)
}

/** Ends a process and all it started that is still in its group, and forgets it. */
export function endGroup(leader: number): void {
  if (!running.delete(leader)) return
  if (running.size === 0) process.off('exit', endAll)
  if (process.platform === 'win32') {
    const program = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\taskkill.exe`
    spawn(program, ['/PID', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => {},
    )
    return
  }
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}

function endAll(): void {
  for (const leader of [...running]) endGroup(leader)
}
