import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { build, preview } from 'vite'
import { sourceAliases } from '../../vite.config.ts'

/** A name that is not loopback, so that a page from it over http is not a secure context. */
export const insecureHost = 'offstage.test'

const pages = join(import.meta.dirname, 'pages')
const shared = { configFile: false, root: pages, base: './', logLevel: 'warn' } as const

/** What a strict site sends with every answer. */
const strictHeaders: Record<string, string> = {
  'Content-Security-Policy': "default-src 'self'; require-trusted-types-for 'script'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/** The same of one whose pages may ask servers of this machine, whatever their port is. */
const connectedHeaders: Record<string, string> = {
  ...strictHeaders,
  'Content-Security-Policy':
    "default-src 'self'; connect-src 'self' http://127.0.0.1:*; require-trusted-types-for 'script'",
}

interface ServedPages {
  /** The folder with the pages of this folder's `pages`, built as an app would build them. */
  builtPages: string
  /** Where they are served. */
  pagesAddress: string
  /** Where they are served by a strict site. */
  strictPagesAddress: string
  /** Where they are served by a strict site that lets them ask servers of this machine. */
  connectedPagesAddress: string
}

/** Tests with pages of their own, on free ports. */
export const test = base.extend<object, ServedPages>({
  builtPages: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use, { project, workerIndex }) => {
      const outDir = join(import.meta.dirname, `../.results/pages-${project.name}-${workerIndex}`)
      await build({
        ...shared,
        resolve: { alias: sourceAliases },
        worker: { format: 'es' },
        build: {
          outDir,
          emptyOutDir: true,
          target: 'es2023',
          // An inlined icon would be a data: address, which the strict policy refuses.
          assetsInlineLimit: 0,
          rolldownOptions: {
            input: [
              'kill',
              'everything',
              'policy',
              'mcp',
              'mcp-oauth',
              'mcp-signed-in',
              'companion',
              'notes',
              'webmcp',
            ].map((name) => join(pages, `${name}.html`)),
          },
        },
      })
      await use(outDir)
      rmSync(outDir, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  pagesAddress: [({ builtPages }, use) => serve(builtPages, {}, use), { scope: 'worker' }],
  strictPagesAddress: [({ builtPages }, use) => serve(builtPages, strictHeaders, use), { scope: 'worker' }],
  connectedPagesAddress: [
    ({ builtPages }, use) => serve(builtPages, connectedHeaders, use),
    { scope: 'worker' },
  ],
})

async function serve(
  outDir: string,
  headers: Record<string, string>,
  use: (address: string) => Promise<void>,
): Promise<void> {
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, allowedHosts: [insecureHost], headers },
  })
  await use(server.resolvedUrls?.local[0] ?? '')
  await server.close()
}
