import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from '../../.ci/processes.mjs'
import { measureBundle } from './bundle.mjs'

const program = join(root, 'test/bench/run.mjs')

/**
 * What a benchmark prints with --json.
 * @param {string} name
 * @param {string[]} options
 * @returns {Promise<Record<string, number>>}
 */
async function bench(name, ...options) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, name, '--json', ...options])
  const printed = JSON.parse(stdout)
  expect(printed.name).toBe(name)
  return printed.figures
}

describe('the size of what an app loads at start', () => {
  it('stays within its limits, minified and with gzip', async () => {
    const { figures } = await measureBundle()
    expect(Object.keys(figures)).toEqual([
      ...['core', 'page', 'pageLater', 'worker', 'app', 'appLater', 'chat', 'chatLater'],
    ])
    expect(figures.app).toBeLessThanOrEqual(20_480)
    expect(figures.chat).toBeLessThanOrEqual(28_672)
    // The others have no promise to keep; these limits make growth a decision.
    expect(figures.core).toBeLessThanOrEqual(18_500)
    expect(figures.page).toBeLessThanOrEqual(23_800)
    expect(figures.worker).toBeLessThanOrEqual(16_700)
    expect(figures.appLater).toBeLessThanOrEqual(26_900)
    expect(figures.pageLater).toBeLessThanOrEqual(44_600)
    expect(figures.chatLater).toBeLessThanOrEqual(46_100)
  })

  it('has of the dialog only what asks for it: the rest is loaded by import()', async () => {
    const { figures, modules } = await measureBundle()
    const start = ['ask-person', 'asking-texts', 'confirm-dialog', 'dialog-text-names', 'load-dialog']
    for (const name of ['page', 'chat']) {
      const files = modules[name]?.filter((module) => module.startsWith('dialog/'))
      expect(files).toEqual(start.map((file) => `dialog/${file}`))
    }
    // All that can be seen is still there to be loaded.
    expect((figures.chatLater ?? 0) - (figures.appLater ?? 0)).toBeGreaterThan(10_000)
  })

  it('has no schema library on a page whose tools are in a worker', async () => {
    const { packages } = await measureBundle()
    expect(packages.page).toEqual(['comlink'])
    expect(packages.worker).toContain('valibot')
  })
})

describe('a benchmark', () => {
  it('gives worse figures for workers when the measured path is delayed', async () => {
    const plain = await bench('workers', '--runs', '1')
    const delayed = await bench('workers', '--runs', '1', '--handicap', '2')
    expect(Object.keys(plain)).toEqual(['roundTripRatio', 'bareCallUs', 'stallShare', 'overlap', 'speedup'])
    expect(delayed.roundTripRatio).toBeGreaterThan((plain.roundTripRatio ?? 0) * 2)
  }, 120_000)

  it('gives worse figures for a kill when the measured path is delayed', async () => {
    const delayed = await bench('kill', '--runs', '1', '--handicap', '500')
    expect(delayed).toMatchObject({ leakedWorkers: 0 })
    expect(delayed.resultAfterMs).toBeGreaterThan(700)
    expect(delayed.nextCallExtraMs).toBeGreaterThan(450)
  }, 120_000)

  it('gives worse figures for a loop when the measured path is delayed', async () => {
    const plain = await bench('loop', '--runs', '1')
    const delayed = await bench('loop', '--runs', '1', '--handicap', '20')
    expect(Object.keys(plain)).toEqual([
      ...['stepGrowth', 'perCallUs100', 'perStepUs', 'textChunkUs', 'argumentChunkUs', 'eagerStartMs'],
      ...['heapGrowthBytesPerRun', 'coldImportMs'],
    ])
    // Near 1 without the delay, but one run of so little work says anything up to 6.
    expect(delayed.stepGrowth).toBeGreaterThan(8)
    expect(delayed.perCallUs100).toBeGreaterThan((plain.perCallUs100 ?? 0) + 50)
    for (const name of ['perStepUs', 'textChunkUs', 'argumentChunkUs', 'eagerStartMs']) {
      expect(delayed[name]).toBeGreaterThan((plain[name] ?? 0) + 10)
    }
  }, 120_000)

  it('gives a worse figure for cancelled calls of an MCP server when the measured path is delayed', async () => {
    // More than a busy machine adds by itself to the figure without the delay, which is near 1.
    const delayed = await bench('mcp', '--runs', '1', '--handicap', '3000')
    expect(Object.keys(delayed)).toEqual(['parallelMs', 'afterCancelsMs', 'cancelSlowdown'])
    expect(delayed.cancelSlowdown).toBeGreaterThan(1.5)
  }, 120_000)

  it('that has no path to delay refuses to pretend', async () => {
    await expect(bench('bundle', '--handicap', '1')).rejects.toThrow(/no path to delay/)
  })

  it('that does not exist is answered with those that do', async () => {
    await expect(bench('walkers')).rejects.toThrow(/NAME is one of workers, kill, loop, mcp, bundle/)
  })
})
