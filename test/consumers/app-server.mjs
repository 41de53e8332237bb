import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../.ci/free-port.mjs'
import { startProcess } from './app-process.mjs'

/** How long a server may take to answer for the first time, in milliseconds. */
const startLimitMs = 120_000

/**
 * A server of an app.
 * @typedef {object} AppServer
 * @property {string} address
 * @property {() => string} output the last that it wrote
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a server with one of the app's own scripts, on a free port, and waits until it answers.
 * Rejects with its output when it does not.
 * @param {string} folder
 * @param {(port: number) => readonly string[]} serverArguments what follows `npm run`
 * @returns {Promise<AppServer>}
 */
export async function startServer(folder, serverArguments) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}/`
  const [script = '', ...options] = serverArguments(port)
  const started = startProcess(folder, 'npm', ['run', '--silent', script, '--', ...options])
  let exitCode = /** @type {number | undefined} */ (undefined)
  void started.ended.then((code) => {
    exitCode = code
  })
  const until = performance.now() + startLimitMs
  while (!(await answers(address))) {
    if (exitCode === undefined && performance.now() < until) {
      await sleep(100)
      continue
    }
    await started.stop()
    const why = exitCode === undefined ? `did not answer within ${startLimitMs} ms` : `ended with ${exitCode}`
    throw new Error(`npm run ${script} ${why}.\n${started.output()}`)
  }
  return { address, output: started.output, stop: started.stop }
}

/** @param {string} address */
async function answers(address) {
  try {
    // A first page may have to be compiled before it is sent.
    const response = await fetch(address, { signal: AbortSignal.timeout(startLimitMs) })
    await response.text()
    return true
  } catch {
    return false
  }
}
