import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import { type Alias, defineConfig } from 'vite'
import packageJson from './package.json' with { type: 'json' }

const root = import.meta.dirname
const demo = join(root, 'demo')

/** Headers of the served demo build: what a strict site would send. */
const previewHeaders: Record<string, string> = {
  'Content-Security-Policy': [
    "default-src 'self'",
    // A model server on the person's own machine; its port is theirs to choose.
    "connect-src 'self' http://localhost:* http://127.0.0.1:*",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default svelte-trusted-html',
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/** Packages that the sources import; named so that Vite finds none of them late and reloads a running page. */
export const runTimePackages: string[] = [
  '@cfworker/json-schema',
  '@modelcontextprotocol/sdk/client/auth.js',
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
  '@modelcontextprotocol/sdk/shared/protocol.js',
  '@modelcontextprotocol/sdk/types.js',
  '@orama/orama',
  '@valibot/to-json-schema',
  'comlink',
  'eventsource-parser',
  'fflate',
  'react',
  'svelte',
  'valibot',
]

/** An entry point of the package. */
export interface EntryPoint {
  /** What its users import: `offstage/worker`. */
  name: string
  /** Its source, from the root: `src/worker/index.ts`. */
  source: string
}

/** The entry points that package.json names. */
export const entryPoints: EntryPoint[] = Object.entries(packageJson.exports).flatMap(([path, target]) => {
  if (typeof target === 'string') return []
  const source = target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
  return [{ name: packageJson.name + path.slice(1), source }]
})

/** Each entry point's name, whole and nothing longer, with its source: demo and tests import by name. */
export const sourceAliases: Alias[] = entryPoints.map(({ name, source }) => {
  return { find: new RegExp(`^${name}$`), replacement: join(root, source) }
})

/** The pages of the demo: every .html file of its folder. */
function pages(): string[] {
  if (!existsSync(demo)) return []
  const files = readdirSync(demo, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.html')).map((file) => join(demo, file))
}

export default defineConfig({
  root: demo,
  // Relative addresses, so that the built demo works below any path.
  base: './',
  appType: 'mpa',
  // No file of settings: components are compiled as Svelte does by itself.
  plugins: [react(), svelte({ configFile: false })],
  resolve: { alias: sourceAliases },
  worker: { format: 'es' },
  optimizeDeps: { include: runTimePackages },
  // The aliases lead to src, outside the served folder.
  server: { host: '127.0.0.1', fs: { allow: [root] } },
  preview: { host: '127.0.0.1', headers: previewHeaders },
  build: {
    // Not packed: see "files" in package.json.
    outDir: join(root, 'dist/demo'),
    emptyOutDir: true,
    target: 'es2023',
    // Nearly all of the build is the work of plugins; that is no news.
    rolldownOptions: { input: pages(), checks: { pluginTimings: false } },
  },
})
