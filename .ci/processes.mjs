import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The repository's root folder, absolute. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a program with its output on this terminal and no keyboard. Resolves to its exit code: 127 if it cannot
 * be started, 124 if it was stopped after `timeLimitMs` (default: 20 minutes).
 * @param {string} command
 * @param {readonly string[]} programArguments
 * @param {{ environment?: Record<string, string>, timeLimitMs?: number }} [options]
 * @returns {Promise<number>}
 */
export function run(command, programArguments, { environment = {}, timeLimitMs = 20 * 60_000 } = {}) {
  const child = spawn(command, programArguments, {
    cwd: root,
    env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A group of its own, so that a runner's servers and browsers end with it.
    detached: true,
  })
  /** @param {NodeJS.Signals} signal */
  const end = (signal) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // It has ended already.
    }
  }
  return new Promise((resolve) => {
    let exitCode = 0
    const timer = setTimeout(() => {
      exitCode = 124
      console.error(`${command} did not end within ${timeLimitMs} ms and was stopped.`)
      end('SIGKILL')
    }, timeLimitMs)
    const interrupt = () => {
      end('SIGTERM')
      process.exit(130)
    }
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    /** @param {number} code */
    const settle = (code) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      resolve(code)
    }
    child.once('error', (error) => {
      console.error(`${command} cannot be started: ${error.message}`)
      settle(127)
    })
    child.once('close', (code) => settle(exitCode || (code ?? 1)))
  })
}

/**
 * Whether a program starts and ends with exit code 0 within 20 s; its output is thrown away.
 * @param {string} command
 * @param {readonly string[]} programArguments
 */
export function succeeds(command, programArguments) {
  return spawnSync(command, programArguments, { stdio: 'ignore', timeout: 20_000 }).status === 0
}
