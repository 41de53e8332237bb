import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildLibrary } from '../../.ci/build-library.mjs'
import { root } from '../../.ci/processes.mjs'

/** Whose figures are compared. `floor` is what a loop costs at the least: a bound, not a peer. */
const others = ['aisdk', 'tanstack', 'openai-agents', 'langchain']
const ours = 'ours'
const keys = ['loop10', 'loop50', 'par100', 'streamText1000', 'streamArgs1000', 'toolStart']

/**
 * Runs the same work on Offstage and on other libraries, in one run, in Node and in Chromium, with the harness in
 * `folder`. Every figure is a ratio: Offstage divided by the fastest of the others, by medians.
 * @param {string} folder
 * @param {number} handicapMs by how much the model of Offstage is delayed
 * @returns {Promise<Record<string, number>>}
 */
export async function measurePeers(folder, handicapMs) {
  const harness = resolve(folder)
  if (!existsSync(join(harness, 'run-node.mjs'))) {
    throw new Error(
      `${folder} has no run-node.mjs: pass the folder of the harness, installed as its README says.`,
    )
  }
  await install(harness, handicapMs)
  const peers = [...others, ours].join(',')
  const { results: node } = await runHarness(harness, 'run-node.mjs', peers, keys)
  const { results: page } = await runHarness(harness, 'run-browser.mjs', peers, keys)
  const { results: nodeLong } = await runHarness(harness, 'run-node.mjs', ours, ['loop50', 'loop800'])
  const { results: pageLong } = await runHarness(harness, 'run-browser.mjs', ours, ['loop50', 'loop800'])
  return {
    ...inOnePlace('node', node, nodeLong),
    ...inOnePlace('page', page, pageLong),
    tenThousandToolsStepMs: await measureTenThousandTools(harness),
  }
}

/**
 * What a run of one step takes for an agent that picks among ten thousand tools, in milliseconds, where it takes longer.
 * Not the first run: that one builds the index.
 * @param {string} harness
 */
async function measureTenThousandTools(harness) {
  const key = 'cat10k_defer'
  const { results: node } = await runHarness(harness, 'run-node.mjs', ours, [key])
  const { results: page } = await runHarness(harness, 'run-browser.mjs', ours, [key])
  return Math.max(...[node, page].map((results) => median(results[key], ours, 'secondReqMs')))
}

/** @typedef {{ peers: Record<string, Record<string, number>[] | { error: string } | string> }} Measured */

/**
 * @param {string} place
 * @param {Record<string, Measured>} results
 * @param {Record<string, Measured>} long
 */
function inOnePlace(place, results, long) {
  return {
    [`${place}Step10`]: ratio(results.loop10, 'perStepUs'),
    [`${place}Step50`]: ratio(results.loop50, 'perStepUs'),
    [`${place}StepGrowth800`]:
      median(long.loop800, ours, 'perStepUs') / median(long.loop50, ours, 'perStepUs'),
    [`${place}Call100`]: ratio(results.par100, 'perCallUs'),
    [`${place}TextChunk`]: ratio(results.streamText1000, 'perChunkUs'),
    [`${place}ArgumentChunk`]: ratio(results.streamArgs1000, 'perChunkUs'),
    [`${place}ToolStart`]: ratio(results.toolStart, 'us'),
  }
}

/**
 * @param {Measured | undefined} measured
 * @param {string} field
 */
function ratio(measured, field) {
  return median(measured, ours, field) / Math.min(...others.map((peer) => median(measured, peer, field)))
}

/**
 * @param {Measured | undefined} measured
 * @param {string} peer
 * @param {string} field
 */
function median(measured, peer, field) {
  const runs = measured?.peers[peer]
  if (!Array.isArray(runs) || runs.length === 0) {
    throw new Error(`The harness has no figures of ${peer}: ${JSON.stringify(runs)}`)
  }
  const sorted = runs.map((figures) => Number(figures[field])).sort((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/**
 * Puts the built library and its adapter where the harness looks for them.
 * @param {string} harness
 * @param {number} handicapMs
 */
async function install(harness, handicapMs) {
  if ((await buildLibrary()) !== 0) throw new Error('The library does not build.')
  const peer = join(harness, 'peers', ours)
  rmSync(peer, { recursive: true, force: true })
  cpSync(join(root, 'test/bench/peers'), peer, { recursive: true })
  writeFileSync(join(peer, 'handicap.mjs'), `export const handicapMs = ${handicapMs}\n`)
  const packages = join(peer, 'node_modules')
  const copy = join(packages, 'offstage')
  mkdirSync(copy, { recursive: true })
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    mkdirSync(join(packages, name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(packages, name))
  }
}

/**
 * @param {string} harness
 * @param {string} program
 * @param {string} peers
 * @param {readonly string[]} only
 * @returns {Promise<{ results: Record<string, Measured> }>}
 */
async function runHarness(harness, program, peers, only) {
  const out = join(harness, 'results/offstage-bench.json')
  rmSync(out, { force: true })
  const options = ['--peers', peers, '--only', only.join(','), '--out', out]
  // What it prints is not the result: that is on the standard output, alone.
  const child = spawn(process.execPath, [program, ...options], { cwd: harness, stdio: ['ignore', 2, 2] })
  const code = await new Promise((settle) => child.once('close', settle).once('error', settle))
  if (code !== 0 || !existsSync(out)) throw new Error(`${program} of the harness ended with code ${code}.`)
  return JSON.parse(readFileSync(out, 'utf8'))
}
