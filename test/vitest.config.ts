import { join } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { runTimePackages, sourceAliases } from '../vite.config.ts'
import { chromiumLaunch } from './run/chromium.ts'

const ARCHITECTURE = 'test/unit/architecture.test.ts'

const chromium = playwright({ launchOptions: chromiumLaunch })

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  resolve: { alias: sourceAliases },
  test: {
    // A guard against hanging, for a busy machine; no test may need it.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'architecture', include: [ARCHITECTURE] } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/run/**/*.test.mjs'],
          exclude: [ARCHITECTURE],
          globalSetup: 'test/run/built-library.mjs',
        },
      },
      {
        extends: true,
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
      {
        extends: true,
        worker: { format: 'es' },
        optimizeDeps: { include: [...runTimePackages, 'arktype', 'axe-core', 'zod'] },
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: chromium,
            // Another engine joins here as one more instance, with a provider of its own where it needs one.
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
