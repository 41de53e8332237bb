import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './run/chromium.ts'
import { firefoxLaunch } from './run/firefox.ts'

const root = join(import.meta.dirname, '..')
const results = join(root, 'test/.results')
const port = Number(process.env.E2E_PORT ?? 4187)
// The name of one of several runs at the same time: each has its own results, and serves what was built before.
const oneOfMany = process.env.E2E_RUN
const suffix = oneOfMany === undefined ? '' : `-${oneOfMany}`
const serve = `npx vite preview --port ${port} --strictPort`
const address = `http://127.0.0.1:${port}/`

export default defineConfig({
  testDir: 'e2e',
  outputDir: join(results, `e2e${suffix}`),
  reporter: [['line'], ['json', { outputFile: join(results, `playwright${suffix}.json`) }]],
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Each has a browser of its own: a window without the focus would not do what a person sees.
  workers: 2,
  use: { baseURL: address },
  projects: [
    { name: 'chromium', use: { browserName: 'chromium', launchOptions: chromiumLaunch } },
    {
      name: 'firefox',
      workers: 1,
      use: { browserName: 'firefox', launchOptions: firefoxLaunch },
      // axe judges names, roles and colours, which no engine changes; pages are laid out alike; the editor has its own
      // tests in each engine, and three stories do nothing that others do not. Once is enough for them. What MCP needs
      // of an engine is fetch and IndexedDB, which the browser tests try in each.
      testIgnore: [
        ...['accessibility', 'layout', 'edit-input', 'agent', 'console', 'tool', 'chat-pages'],
        // Grants have browser tests of their own in each, and so have the guards of the dialog.
        ...[
          'grants',
          'dialog-guards',
          'mcp',
          'mcp-oauth',
          'mcp-policy',
          'companion',
          'notes-companion',
          'notes-story',
        ],
        // What is judged, and that text stays text, is the same in each.
        ...['untrusted-page', 'answers'],
        // Only Chromium has it.
        'webmcp',
        // React and AI SDK draw it; what is ours in it knows no engine.
        'chat-ui',
        // What is searched is the library's own code; the browser tests build its index in each engine.
        'retrieval',
        // The session, its stores and its locks as well; and streams come in pieces in both.
        ...['pause', 'chat'],
      ].map((name) => `**/${name}.test.ts`),
    },
  ],
  webServer: {
    command: oneOfMany === undefined ? `npx vite build --logLevel warn && ${serve}` : serve,
    cwd: root,
    env: { FORCE_COLOR: '0' },
    url: address,
    reuseExistingServer: false,
    timeout: 120_000,
    stdout: 'ignore',
    stderr: 'pipe',
  },
})
