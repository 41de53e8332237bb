import { expect, test } from 'vitest'
import { isInstalled } from '../../.ci/dependencies.mjs'
import { readPlaywrightReport, readVitestReport, settleRunner, summaryLine } from '../../.ci/reports.mjs'

/** @param {string} status */
const assertion = (status) => ({ ancestorTitles: ['a group'], title: `is ${status}`, status })

test('a Vitest report becomes one record for each test', () => {
  const assertionResults = ['passed', 'failed', 'skipped', 'todo', 'pending'].map(assertion)
  const testResults = [{ name: '/project/test/unit/a.test.ts', status: 'failed', assertionResults }]
  expect(readVitestReport({ testResults }, '/project')).toEqual([
    { name: 'a group > is passed', file: 'test/unit/a.test.ts', state: 'passed' },
    { name: 'a group > is failed', file: 'test/unit/a.test.ts', state: 'failed' },
    { name: 'a group > is skipped', file: 'test/unit/a.test.ts', state: 'skipped' },
    { name: 'a group > is todo', file: 'test/unit/a.test.ts', state: 'skipped' },
    { name: 'a group > is pending', file: 'test/unit/a.test.ts', state: 'skipped' },
  ])
})

test('the name of a type test is free of its file', () => {
  const assertionResults = [
    { ancestorTitles: ['test/types/a.test-d.ts', ''], title: 'infers', status: 'passed' },
  ]
  const testResults = [{ name: '/project/test/types/a.test-d.ts', status: 'passed', assertionResults }]
  expect(readVitestReport({ testResults }, '/project').map(({ name }) => name)).toEqual(['infers'])
})

test('a file that fails without a failed test counts as one failed test', () => {
  const testResults = [
    { name: '/project/a.test.ts', status: 'failed', assertionResults: [] },
    { name: '/project/b.test.ts', status: 'failed', assertionResults: [assertion('passed')] },
  ]
  expect(summaryLine(readVitestReport({ testResults }, '/project'))).toBe('1 passed, 2 failed')
})

test('a Playwright report becomes one record for each test and browser', () => {
  /** @param {string} title @param {string[]} statuses */
  const spec = (title, ...statuses) => {
    return {
      title,
      file: 'a.spec.ts',
      tests: statuses.map((status, index) => ({ projectName: index === 0 ? 'chromium' : 'firefox', status })),
    }
  }
  const inner = {
    title: 'a group',
    file: 'a.spec.ts',
    specs: [spec('two', 'flaky'), spec('three', 'skipped')],
  }
  const suites = [
    {
      title: 'a.spec.ts',
      file: 'a.spec.ts',
      specs: [spec('one', 'expected', 'unexpected')],
      suites: [inner],
    },
  ]
  expect(
    readPlaywrightReport({ config: { rootDir: '/project/test/e2e' }, suites, errors: [] }, '/project'),
  ).toEqual([
    { name: 'one [chromium]', file: 'test/e2e/a.spec.ts', state: 'passed' },
    { name: 'one [firefox]', file: 'test/e2e/a.spec.ts', state: 'failed' },
    { name: 'a group > two [chromium]', file: 'test/e2e/a.spec.ts', state: 'failed' },
    { name: 'a group > three [chromium]', file: 'test/e2e/a.spec.ts', state: 'skipped' },
  ])
})

test('a runner that crashes, reports nothing or fails by itself counts as failed', () => {
  const passed = readVitestReport(
    { testResults: [{ name: '/a.test.ts', status: 'passed', assertionResults: [assertion('passed')] }] },
    '/',
  )
  /** @param {number} exitCode @param {typeof passed | undefined} reported */
  const settle = (exitCode, reported) => summaryLine(settleRunner('unit', 'config.ts', exitCode, reported))
  expect(settle(1, undefined)).toBe('0 passed, 1 failed')
  expect(settle(0, undefined)).toBe('0 passed, 1 failed')
  expect(settle(0, [])).toBe('0 passed, 1 failed')
  expect(settle(1, passed)).toBe('1 passed, 1 failed')
  expect(settle(0, passed)).toBe('1 passed, 0 failed')
})

test('packages are installed again when they differ from the lock, and only then', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0', integrity: 'x' },
      'node_modules/b': { optional: true },
    },
  }
  /** @param {Record<string, { version?: string, integrity?: string }>} packages */
  const check = (packages) => isInstalled(lock, { packages })
  expect(check({ 'node_modules/a': { version: '1.0.0', integrity: 'x' } })).toBe(true)
  expect(check({ 'node_modules/a': { version: '1.0.1', integrity: 'y' } })).toBe(false)
  expect(check({})).toBe(false)
  expect(check({ 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/c': {} })).toBe(false)
})
