import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from '../../.ci/processes.mjs'

/**
 * All ratios, or times with much room: but on a machine that does other work beside, the others' work counts.
 * @type {[name: string, key: string, holds: (figure: number) => boolean, limit: string][]}
 */
const limits = [
  ['workers', 'roundTripRatio', (figure) => figure <= 2.5, '<= 2.5'],
  ['workers', 'stallShare', (figure) => figure <= 0.1, '<= 0.1'],
  ['workers', 'overlap', (figure) => figure >= 0.9, '>= 0.9'],
  ['kill', 'resultAfterMs', (figure) => figure <= 350, '<= 350'],
  ['kill', 'nextCallExtraMs', (figure) => figure <= 5, '<= 5'],
  ['kill', 'leakedWorkers', (figure) => figure === 0, '= 0'],
  ['loop', 'stepGrowth', (figure) => figure <= 1.3, '<= 1.3'],
  ['loop', 'perCallUs100', (figure) => figure <= 40, '<= 40'],
  ['loop', 'heapGrowthBytesPerRun', (figure) => figure <= 1_000, '<= 1000'],
  ['mcp', 'cancelSlowdown', (figure) => figure <= 1.3, '<= 1.3'],
]

/** @type {Map<string, Promise<Record<string, number>>>} */
const measured = new Map()

/**
 * The figures of a benchmark, measured once.
 * @param {string} name
 */
function figuresOf(name) {
  const program = join(root, 'test/bench/run.mjs')
  const measure = async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, name, '--json'])
    return JSON.parse(stdout).figures
  }
  const figures = measured.get(name) ?? measure()
  measured.set(name, figures)
  return figures
}

describe.each(limits)('bench %s: %s', (name, key, holds, limit) => {
  it(`is ${limit}`, async () => {
    const figure = (await figuresOf(name))[key]
    expect(figure === undefined ? false : holds(figure), `${key} is ${figure}`).toBe(true)
  }, 180_000)
})
