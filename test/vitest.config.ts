import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import type { BrowserInstanceOption } from 'vitest/node'
import { runTimePackages, sourceAliases } from '../vite.config.ts'
import { bundledLibrary } from './run/bundled-library.ts'
import { chromiumLaunch } from './run/chromium.ts'
import { companionCommands } from './run/companion-commands.ts'
import { firefoxLaunch } from './run/firefox.ts'
import { playwrightInput } from './run/playwright-input.ts'
import { webkitGtk, webkitInput } from './run/webkit.ts'
import { workerCoverage } from './run/worker-coverage.ts'

const ARCHITECTURE = 'test/unit/architecture.test.ts'
const PATIENT = 'test/support/patient-waits.ts'

const chromium: BrowserInstanceOption = {
  browser: 'chromium',
  provider: playwright({ launchOptions: chromiumLaunch }),
}
const firefox: BrowserInstanceOption = {
  browser: 'firefox',
  provider: playwright({ launchOptions: firefoxLaunch }),
}

const fromSources = { resolve: { alias: sourceAliases } }
const components = svelte({ configFile: false })
const forBrowsers = {
  plugins: [bundledLibrary(), components, ...(process.env.COVERAGE ? [workerCoverage()] : [])],
}
// Some properties are tried much more often there.
const isLong = Boolean(process.env.TEST_LONG)

const nodeProjects: TestProjectInlineConfiguration[] = [
  { extends: true, ...fromSources, test: { name: 'architecture', include: [ARCHITECTURE] } },
  {
    extends: true,
    ...fromSources,
    test: {
      name: 'unit',
      include: ['test/unit/**/*.test.ts', 'test/security/**/*.test.ts', 'test/run/**/*.test.mjs'],
      exclude: [ARCHITECTURE],
      globalSetup: 'test/run/built-library.mjs',
      setupFiles: [PATIENT, 'test/support/property-runs.ts'],
      // Many wait for a server or a deadline: two files at a time use the two cores of a small machine.
      maxWorkers: 2,
      sequence: { groupOrder: 3 },
    },
  },
  { extends: true, test: { name: 'bench', include: ['test/bench/**/*.test.mjs'] } },
  { extends: true, test: { name: 'bench-limits', include: ['test/long/**/*.test.mjs'] } },
  {
    extends: true,
    ...fromSources,
    test: { name: 'conformance', include: ['test/conformance/**/*.test.ts'] },
  },
  {
    extends: true,
    ...fromSources,
    // A browser with a profile that it keeps, which no provider gives.
    test: { name: 'webkit-profile', include: ['test/webkit/**/*.test.ts'] },
  },
  {
    extends: true,
    ...fromSources,
    test: {
      name: 'types',
      include: [],
      // An error outside the type tests is the business of `npm run types`, which reports it once.
      typecheck: {
        enabled: true,
        only: true,
        include: ['test/types/**/*.test-d.ts'],
        ignoreSourceErrors: true,
      },
    },
  },
]

/** What only the browser tests import. */
const testPackages = [
  '@mcp-b/webmcp-polyfill',
  ...['arktype', 'axe-core', 'react-dom/client', 'zod'],
  ...['svelte/internal/client', 'svelte/internal/disclose-version', 'svelte/internal/flags/async'],
]

/** What is tried in Chromium only: rules of the library that no engine changes. What an engine may do otherwise is not here. */
const onceIsEnough = [
  // The form's own logic, how it is laid out, what is said of the policy, and which question comes when.
  // What axe judges: names, roles and colours.
  ...[
    ...['change-view', 'edit', 'editor-look', 'elicitation', 'form', 'policy-view', 'queue', 'user-fields'],
    'accessibility',
  ].map((name) => `test/browser/dialog/${name}.test.ts`),
  // What is sent to a worker, listed, checked and withdrawn there: plain messages; and what becomes of other calls when
  // a worker is ended, and which lane takes which call. Starting, loading, values, kills and closing run in every engine.
  ...[
    ...['arguments', 'contract', 'direct-calls', 'left-checks', 'offered-tools', 'one-message', 'own-source'],
    ...['attacks', 'innocent-calls', 'lanes', 'preflight', 'recovery', 'steps'],
  ].map((name) => `test/browser/worker/${name}.test.ts`),
  // Only Chromium has WebMCP; values and kills have tests of their own in every engine.
  ...['expose-webmcp', 'from-webmcp', 'worker-tools'].map((name) => `test/browser/interop/${name}.test.ts`),
  // Comlink over plain messages again; what is found is the same in every engine.
  'test/browser/retrieval/remote-tool-index.test.ts',
]

/** The browser tests in one engine. `browser` alone is Chromium: the one that is run all the time. */
function browserProject(
  name: string,
  instance: BrowserInstanceOption,
  input: typeof playwrightInput | typeof webkitInput,
  include = 'test/browser/**/*.test.ts',
): TestProjectInlineConfiguration {
  return {
    extends: true,
    ...forBrowsers,
    worker: { format: 'es' },
    // All of them are named: one that was found late would reload a running page.
    optimizeDeps: { noDiscovery: true, include: [...runTimePackages, ...testPackages] },
    test: {
      name,
      include: [include],
      exclude: instance.browser === 'chromium' ? [] : onceIsEnough,
      setupFiles: [PATIENT, ...(process.env.COVERAGE ? ['test/support/coverage/page.ts'] : [])],
      // Most tests wait for a timeout or a worker: two files at a time use the two cores of a small machine. But
      // Firefox gives the focus to one of its windows only, and there dialogs need it.
      // A machine of unknown load runs these in CI: a worker that starts late is no fault of a change. What passed only
      // at the second try is marked in the output; at home nothing is tried again.
      retry: process.env.CI ? 1 : 0,
      maxWorkers: instance.browser === 'chromium' ? 2 : 1,
      // Projects that run at once must agree on that number.
      sequence: { groupOrder: instance.browser === 'chromium' ? 1 : 2 },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        commands: { ...input, ...companionCommands },
        instances: [instance],
      },
    },
  }
}

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    // A guard against hanging, for a busy machine; no test may need it.
    testTimeout: isLong ? 600_000 : 60_000,
    hookTimeout: 30_000,
    coverage: {
      provider: 'istanbul',
      include: ['src/**/*.ts'],
      reporter: ['json-summary', 'html'],
      reportsDirectory: 'test/.results/coverage',
      reportOnFailure: true,
    },
    projects: [
      ...nodeProjects,
      browserProject('browser', chromium, playwrightInput),
      browserProject('browser-firefox', firefox, playwrightInput),
      browserProject('browser-webkit', { browser: 'webkit', provider: webkitGtk() }, webkitInput),
      browserProject('browser-long', chromium, playwrightInput, 'test/long/**/*.test.ts'),
    ],
  },
})
