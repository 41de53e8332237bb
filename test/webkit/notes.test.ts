import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sourceAliases } from '../../vite.config.ts'
import { miniBrowser, webkitFeatures } from '../run/webkit.ts'
import type { NotesReport } from './pages/notes-page.ts'

// WebKitGTK's driver opens private windows only. So its browser is started here by hand, with a profile that it keeps.

const folder = mkdtempSync(join(tmpdir(), 'offstage-webkit-'))
const outDir = join(folder, 'pages')
let server: PreviewServer
let told: (report: NotesReport) => void

beforeAll(async () => {
  const shared = { configFile: false, root: join(import.meta.dirname, 'pages'), logLevel: 'warn' } as const
  await build({
    ...shared,
    resolve: { alias: sourceAliases },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      rolldownOptions: { input: join(shared.root, 'notes.html'), checks: { pluginTimings: false } },
    },
  })
  server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
    plugins: [
      {
        name: 'offstage:report',
        configurePreviewServer: ({ middlewares }) => {
          middlewares.use('/report', async (request, response) => {
            const chunks: Buffer[] = []
            for await (const chunk of request) chunks.push(chunk as Buffer)
            response.end()
            told(JSON.parse(Buffer.concat(chunks).toString()) as NotesReport)
          })
        },
      },
    ],
  })
}, 60_000)

afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens the page in a browser with the one profile, and gives what it reports. */
async function visit(): Promise<NotesReport> {
  const reported = new Promise<NotesReport>((resolve) => {
    told = resolve
  })
  const address = `${server.resolvedUrls?.local[0] ?? ''}notes.html`
  const browser: ChildProcess = spawn('xvfb-run', ['-a', miniBrowser(), webkitFeatures, address], {
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      ...{ HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder },
      ...{ WEBKIT_DISABLE_COMPOSITING_MODE: '1', LIBGL_ALWAYS_SOFTWARE: '1' },
    },
  })
  try {
    return await reported
  } finally {
    if (browser.pid !== undefined) process.kill(-browser.pid)
  }
}

it('notes are kept from one start of the browser to the next, and written by a stream in page and worker', async () => {
  const written = { 'A.md': 'A.md\n', 'a.md': 'a.md\n', 'é/ü': 'é/ü\n' }
  const once = 'from the page\nfrom the worker\n'
  const first = await visit()
  expect(first).toEqual({
    before: {},
    after: { ...written, 'shared.md': once },
    tiers: ['writable', 'writable'],
    added: ['A.md', 'a.md', 'shared.md', 'é/ü'],
  })
  const second = await visit()
  expect(second.before).toEqual(first.after)
  expect(second.after['shared.md']).toBe(once + once)
})
