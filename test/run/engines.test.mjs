import { afterEach, describe, expect, test, vi } from 'vitest'
import { browserParts, missingEngines } from '../../.ci/browser-parts.mjs'
import { CHROMIUM, FIREFOX, WEBKIT } from '../../.ci/engines.mjs'
import { provideEngines } from '../../.ci/provide-engines.mjs'
import { isOnePart } from '../../.ci/run-parts.mjs'

/** @typedef {import('../../.ci/engines.mjs').Engine} Engine */

afterEach(() => vi.unstubAllEnvs())

/**
 * An engine that is there once its path is among the programs that start.
 * @param {Set<string>} programs
 * @param {Partial<Engine>} [changes]
 * @returns {Engine}
 */
function engine(programs, changes) {
  return {
    id: 'firefox',
    title: 'Firefox',
    variable: 'TEST_ENGINE_PATH',
    packages: ['firefox-esr'],
    candidates: () => ['/usr/bin/first', '/usr/bin/second'],
    starts: (path) => programs.has(path),
    advice: '  - install it',
    ...changes,
  }
}

describe('an engine', () => {
  const never = () => Promise.reject(new Error('nothing is to be installed'))

  test('is the first program of its candidates that starts, and nothing is installed', async () => {
    const [found] = await provideEngines([engine(new Set(['/usr/bin/second']))], never)
    expect(found?.path).toBe('/usr/bin/second')
  })

  test('is the program that its variable names', async () => {
    vi.stubEnv('TEST_ENGINE_PATH', '/opt/own')
    const [found] = await provideEngines([engine(new Set(['/usr/bin/first', '/opt/own']))], never)
    expect(found?.path).toBe('/opt/own')
  })

  test('is missing when its variable names what does not start: no other is taken in its place', async () => {
    vi.stubEnv('TEST_ENGINE_PATH', '/opt/own')
    const [found] = await provideEngines([engine(new Set(['/usr/bin/first']))], never)
    expect(found).toMatchObject({
      problem: 'TEST_ENGINE_PATH is /opt/own, but that does not start. Correct the path, or unset it.',
    })
  })

  test('is installed together with all others that are missing', async () => {
    const programs = new Set(['/usr/bin/second'])
    const install = vi.fn(async () => {
      programs.add('/usr/bin/new')
    })
    const there = engine(programs)
    const missing = engine(programs, { candidates: () => ['/usr/bin/new'] })
    const found = await provideEngines([missing, there, { ...missing, packages: ['x', 'y'] }], install)
    expect(install.mock.calls).toEqual([[[['firefox-esr'], ['x', 'y']]]])
    expect(found.map(({ path }) => path)).toEqual(['/usr/bin/new', '/usr/bin/second', '/usr/bin/new'])
  })

  test('comes from elsewhere when the system has none, and only then', async () => {
    const programs = new Set()
    const elsewhere = {
      find: async () => (programs.has('/cache/own') ? '/cache/own' : undefined),
      install: vi.fn(async () => {
        programs.add('/cache/own')
      }),
    }
    const [found] = await provideEngines([engine(programs, { elsewhere })], async () => {})
    expect(found?.path).toBe('/cache/own')
    programs.add('/usr/bin/first')
    await provideEngines([engine(programs, { elsewhere })], never)
    expect(elsewhere.install).toHaveBeenCalledOnce()
  })

  test('that cannot be had is missing, with what to do', async () => {
    const [found] = await provideEngines([engine(new Set())], async () => {})
    expect(found?.path).toBeUndefined()
    expect(found).toMatchObject({
      problem: expect.stringMatching(/^No Firefox was found.*do one of these:\n {2}- install it$/),
    })
  })
})

describe('a missing engine', () => {
  const missing = [CHROMIUM, FIREFOX, WEBKIT].map((engine) => ({ engine, problem: `no ${engine.id}` }))
  const names = async () => {
    const parts = browserParts(missing).flatMap((part) => (isOnePart(part) ? [part] : part))
    const tests = await Promise.all(parts.map(([, run]) => run()))
    return tests.flat().map(({ name, state }) => `${state}: ${name}`)
  }

  test('is a failure of each of its parts under continuous integration', async () => {
    vi.stubEnv('CI', '1')
    expect(new Set(await names())).toEqual(
      new Set([
        'failed: browser: there is a Chromium to run in [chromium]',
        'failed: browser: there is a Firefox to run in [firefox]',
        'failed: browser: there is a WebKitGTK to run in [webkit]',
        'failed: e2e: there is a Chromium to run in [chromium]',
        'failed: e2e: there is a Firefox to run in [firefox]',
        'failed: consumers: there is a Chromium to run in [chromium]',
        'failed: bench: there is a Chromium to run in [chromium]',
      ]),
    )
    expect(missingEngines(missing)).toEqual(['no chromium', 'no firefox', 'no webkit'])
  })

  test('is skipped by name elsewhere, but Chromium', async () => {
    vi.stubEnv('CI', '')
    expect(new Set(await names())).toEqual(
      new Set([
        'failed: browser: there is a Chromium to run in [chromium]',
        'failed: e2e: there is a Chromium to run in [chromium]',
        'failed: consumers: there is a Chromium to run in [chromium]',
        'failed: bench: there is a Chromium to run in [chromium]',
      ]),
    )
    expect(missingEngines(missing)).toEqual([
      'no chromium',
      'skipped: every test in Firefox. no firefox',
      'skipped: every test in WebKitGTK. no webkit',
    ])
  })
})
