import { spawn } from 'node:child_process'

/** How much of a program's output is kept, in characters, and how much of that goes into a message, in lines. */
const keptOutput = 10_000
const toldLines = 25

/**
 * A program that runs in an app's folder.
 * @typedef {object} AppProcess
 * @property {Promise<number>} ended its exit code; 127 when it cannot be started
 * @property {() => string} output the last that it wrote
 * @property {() => Promise<void>} stop ends it and all that it started
 */

/** @type {Set<number>} */
const groups = new Set()

// A server must not outlive the run, however that ends.
process.on('exit', () => {
  for (const group of groups) signal(group, 'SIGKILL')
})

/**
 * Starts a program in a process group of its own, so that what it starts ends with it.
 * @param {string} folder
 * @param {string} command
 * @param {readonly string[]} programArguments
 * @returns {AppProcess}
 */
export function startProcess(folder, command, programArguments) {
  const child = spawn(command, programArguments, {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const group = child.pid
  if (group !== undefined) groups.add(group)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text = `${text}${chunk}`.slice(-keptOutput)
    })
  }
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      text += `${command} cannot be started: ${error.message}`
      resolve(127)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
  return {
    ended,
    output: () => text.trim().split('\n').slice(-toldLines).join('\n'),
    stop: () => endGroup(group, ended),
  }
}

/**
 * Runs a program to its end. Rejects with the last lines of its output when it fails, or does not end in time.
 * @param {string} folder
 * @param {string} command
 * @param {readonly string[]} programArguments
 * @param {number} [timeLimitMs] default: 5 minutes
 */
export async function runProcess(folder, command, programArguments, timeLimitMs = 300_000) {
  const started = startProcess(folder, command, programArguments)
  const exitCode = await within(started.ended, timeLimitMs)
  await started.stop()
  if (exitCode === 0) return
  const how = exitCode === undefined ? `did not end within ${timeLimitMs} ms` : `ended with code ${exitCode}`
  throw new Error(`${[command, ...programArguments].join(' ')} ${how}.\n${started.output()}`)
}

// What npm tells the scripts of this repository is not about the app.
function environment() {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?:lifecycle|package)_|^npm_config_local_prefix$|^INIT_CWD$|^NODE_ENV$/.test(name),
  )
  return { ...Object.fromEntries(own), NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1', CI: '1' }
}

/**
 * @param {number | undefined} group
 * @param {Promise<number>} ended
 */
async function endGroup(group, ended) {
  if (group === undefined) return
  signal(group, 'SIGTERM')
  if ((await within(ended, 5_000)) === undefined) signal(group, 'SIGKILL')
  // The first process may have ended before what it started.
  signal(group, 'SIGKILL')
  groups.delete(group)
}

/**
 * @param {number} group
 * @param {NodeJS.Signals} name
 */
function signal(group, name) {
  try {
    process.kill(-group, name)
  } catch {
    // Nothing of it is left.
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @returns {Promise<T | undefined>}
 */
async function within(promise, ms) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  /** @type {Promise<undefined>} */
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
