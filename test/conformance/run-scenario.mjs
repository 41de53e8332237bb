import { spawn } from 'node:child_process'
import { REVISION } from './suite.mjs'

/** What one try of a client has, in milliseconds; the suite then ends it. */
const clientMs = 60_000

/**
 * Lets the suite play one scenario against a client.
 * @param {import('./suite.mjs').Suite} suite
 * @param {string} scenario
 * @param {{ command: string, environment: Record<string, string> }} client
 * @returns {Promise<{ passed: boolean, output: string }>}
 */
export function runScenario({ node, program }, scenario, { command, environment }) {
  const options = ['--scenario', scenario, '--spec-version', REVISION, '--timeout', String(clientMs)]
  const child = spawn(node, [program, 'client', '--command', command, ...options], {
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const read = (/** @type {Buffer} */ piece) => {
    output += piece
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  // Its servers may keep it from ending.
  const timer = setTimeout(() => child.kill('SIGKILL'), clientMs + 30_000)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ passed: false, output: error.message }))
    child.once('close', (code) => {
      clearTimeout(timer)
      // Also says what did not run at all.
      const played = output.includes('OVERALL: PASSED')
      resolve({ passed: code === 0 && played, output })
    })
  })
}

/**
 * What a person needs of the output of a scenario that failed.
 * @param {string} output
 */
export function reasonsIn(output) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told colors by it.
  const lines = output.replaceAll(/\x1b\[\d+m/g, '').split('\n')
  return lines.filter((line) => line.trim() !== '' && !/\[[\w-]+\s*\] (?:INFO|SUCCESS)/.test(line)).join('\n')
}
