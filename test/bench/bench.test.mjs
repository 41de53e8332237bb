import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { root } from '../../.ci/processes.mjs'
import { measureBundle } from './bundle.mjs'

const program = join(root, 'test/bench/run.mjs')

/**
 * The figures of what a benchmark prints with --json.
 * @param {string} name
 * @param {string[]} options
 * @returns {Promise<Record<string, number>>}
 */
async function bench(name, ...options) {
  return (await printedBy(name, ...options)).figures
}

/**
 * @param {string} name
 * @param {string[]} options
 */
async function printedBy(name, ...options) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, name, '--json', ...options])
  const printed = JSON.parse(stdout)
  expect(printed.name).toBe(name)
  return printed
}

const mailSet = {
  tools: [
    { name: 'send', description: 'Send an email.', parameters: { type: 'object', properties: {} } },
    { name: 'archive', description: 'Put an email away.' },
  ],
  queries: [
    { q: 'email somebody', gold: ['send'] },
    { q: 'archive it', gold: [['file_away', 'archive'], 'missing'] },
  ],
}
const chatSet = {
  tools: [{ name: 'send', description: 'Post in a channel.', server: 'chat' }],
  queries: [{ q: 'post to the channel', gold: ['send'] }],
}

describe('the size of what an app loads at start', () => {
  it('stays within its limits, minified and with gzip', async () => {
    const { figures } = await measureBundle()
    expect(Object.keys(figures)).toEqual([
      ...['core', 'page', 'pageLater', 'worker', 'app', 'appLater', 'chat', 'chatLater'],
    ])
    // 28 KiB is promised for both, with all that is to come.
    expect(figures.app).toBeLessThanOrEqual(20_750)
    expect(figures.chat).toBeLessThanOrEqual(28_672)
    // The others have no promise to keep; these limits make growth a decision.
    // With the rules of the providers, for toOpenAISchema(), which does not wait for an import().
    expect(figures.core).toBeLessThanOrEqual(27_500)
    expect(figures.page).toBeLessThanOrEqual(24_400)
    expect(figures.worker).toBeLessThanOrEqual(17_200)
    expect(figures.appLater).toBeLessThanOrEqual(50_000)
    expect(figures.pageLater).toBeLessThanOrEqual(69_500)
    expect(figures.chatLater).toBeLessThanOrEqual(83_000)
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
    const delayed = await bench('loop', '--runs', '1', '--handicap', '30')
    expect(Object.keys(plain)).toEqual([
      ...['stepGrowth', 'perCallUs100', 'perStepUs', 'textChunkUs', 'argumentChunkUs', 'eagerStartMs'],
      ...['heapGrowthBytesPerRun', 'coldImportMs'],
    ])
    // Near 1 without the delay, but one run of so little work says anything up to 6.
    expect(delayed.stepGrowth).toBeGreaterThan(8)
    expect(delayed.perCallUs100).toBeGreaterThan((plain.perCallUs100 ?? 0) + 50)
    // Each grows by 30 at least; a busy machine may add some 20 to the other one.
    for (const name of ['perStepUs', 'textChunkUs', 'argumentChunkUs', 'eagerStartMs']) {
      expect(delayed[name]).toBeGreaterThan((plain[name] ?? 0) + 5)
    }
  }, 120_000)

  it('gives a worse figure for cancelled calls of an MCP server when the measured path is delayed', async () => {
    // More than a busy machine adds by itself to the figure without the delay, which is near 1.
    const delayed = await bench('mcp', '--runs', '1', '--handicap', '3000')
    expect(Object.keys(delayed)).toEqual(['parallelMs', 'afterCancelsMs', 'cancelSlowdown'])
    expect(delayed.cancelSlowdown).toBeGreaterThan(1.5)
  }, 120_000)

  it('says how well tools are found, how fast, and what an index of many costs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'offstage-bench-'))
    try {
      // Both catalogues have a tool `send`.
      await writeFile(join(folder, 'mail.json'), JSON.stringify(mailSet))
      await writeFile(join(folder, 'chat.json'), JSON.stringify(chatSet))
      const options = ['--data', folder, '--union', '--oracle', '--sizes', '20', '--runs', '1']
      const { figures, sets, sizes, oracle } = await printedBy('retrieval', ...options, '--handicap', '30')
      // One of the two gold tools is not there to be found; the other is, at once.
      expect(sets.mail).toMatchObject({ r1: 75, r5: 75, r8: 75 })
      expect(sets.chat).toMatchObject({ r1: 100, ndcg10: 100 })
      expect(sets.chat.tokensSavedShare).toBeGreaterThan(0)
      expect(figures).toMatchObject({ macroR1: 87.5, macroR5: 87.5, macroR8: 87.5 })
      expect(oracle).toMatchObject({ macroR1: 87.5 })
      expect(figures.p50Ms).toBeGreaterThan(30)
      expect(sizes['20'].longestSliceMs).toBeGreaterThan(30)
      expect(Object.keys(sizes['20'])).toEqual(['buildMs', 'longestSliceMs', 'p50Ms', 'p95Ms', 'heapMiB'])
    } finally {
      await rm(folder, { recursive: true })
    }
  }, 120_000)

  it('of dialects says which tools no provider refuses, and which are set aside', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'offstage-bench-'))
    try {
      const odd = [
        { name: 'a.b', parameters: { type: 'object', properties: { 'x y': { type: ['string', 'null'] } } } },
        { name: 'list', parameters: { type: 'array' } },
      ]
      await writeFile(join(folder, 'mail.json'), JSON.stringify(mailSet))
      await writeFile(
        join(folder, 'more.json'),
        JSON.stringify({ tools: [...mailSet.tools, ...odd], queries: [] }),
      )
      expect(await bench('dialects', '--data', folder)).toEqual({ tools: 4, setAside: 1, invalid: 0 })
    } finally {
      await rm(folder, { recursive: true })
    }
  }, 120_000)

  // Each fifth: all of them take a minute. `npm run bench -- attacks` tries them all.
  it('of attacks finds none that does harm without a yes, and that most would without the policy', async () => {
    const {
      attacks = 0,
      ranWithoutYes,
      ranWithPolicyOff,
      promptsPerHonestTask,
    } = await bench('attacks', '--every', '5')
    expect(attacks).toBeGreaterThan(300)
    expect(ranWithoutYes).toBe(0)
    expect(ranWithPolicyOff).toBeGreaterThanOrEqual(attacks * 0.9)
    expect(promptsPerHonestTask).toBeLessThan(1)
  }, 120_000)

  it('that has no path to delay refuses to pretend', async () => {
    await expect(bench('bundle', '--handicap', '1')).rejects.toThrow(/no path to delay/)
  })

  it('that does not exist is answered with those that do', async () => {
    await expect(bench('walkers')).rejects.toThrow(
      /NAME is one of workers, kill, loop, mcp, bundle, peers, attacks, dialects, retrieval/,
    )
  })
})
