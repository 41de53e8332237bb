import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { build, preview } from 'vite'
import { sourceAliases } from '../../vite.config.ts'

/** A name that is not loopback, so that a page from it over http is not a secure context. */
export const insecureHost = 'offstage.test'

const pages = join(import.meta.dirname, 'pages')

/** Tests with pages of their own, built as an app would build them and served on a free port. */
export const test = base.extend<object, { pagesAddress: string }>({
  pagesAddress: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use, { workerIndex }) => {
      const outDir = join(import.meta.dirname, `../.results/pages-${workerIndex}`)
      const shared = { configFile: false, root: pages, base: './', logLevel: 'warn' } as const
      await build({
        ...shared,
        resolve: { alias: sourceAliases },
        worker: { format: 'es' },
        build: {
          outDir,
          emptyOutDir: true,
          target: 'es2023',
          rolldownOptions: {
            input: [join(pages, 'kill.html'), join(pages, 'insecure.html'), join(pages, 'policy.html')],
          },
        },
      })
      const server = await preview({
        ...shared,
        build: { outDir },
        preview: { host: '127.0.0.1', port: 0, allowedHosts: [insecureHost] },
      })
      await use(server.resolvedUrls?.local[0] ?? '')
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})
