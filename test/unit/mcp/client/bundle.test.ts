import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { sourceAliases } from '../../../../vite.config.ts'
import { root } from '../../../run/project.ts'

const limitBytes = 6 * 1024

/** The chunks of an app, as Vite makes them for a browser: those of its start, and the others. */
async function bundle(code: string) {
  const output = await build({
    configFile: false,
    root,
    logLevel: 'silent',
    resolve: { alias: sourceAliases },
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === 'app' ? '\0app.js' : undefined),
        load: (id) => (id === '\0app.js' ? code : undefined),
      },
    ],
    build: { write: false, target: 'es2023', modulePreload: false, rolldownOptions: { input: 'app' } },
  })
  if (!('output' in output)) throw new Error('expected one bundle')
  const chunks = output.output.filter((file): file is Rolldown.OutputChunk => file.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const start = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const chunk of start) {
    for (const name of chunk.imports) start.add(byName.get(name) as Rolldown.OutputChunk)
  }
  return { start: [...start], later: chunks.filter((chunk) => !start.has(chunk)) }
}

const gzipped = (chunks: readonly Rolldown.OutputChunk[]) =>
  chunks.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0)

const packagesIn = (chunks: readonly Rolldown.OutputChunk[]) =>
  new Set(
    chunks.flatMap(({ modules }) =>
      Object.entries(modules).flatMap(([path, { renderedLength }]) =>
        renderedLength > 0 ? (/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []) : [],
      ),
    ),
  )

const app = `import { MCPClient } from 'offstage/mcp'
globalThis.client = new MCPClient({ url: 'https://example.com/mcp', namespace: 'files' })`

it('an app that never connects ships less than 6 KiB of it at start, and no package', async () => {
  const { start, later } = await bundle(app)
  expect(gzipped(start)).toBeLessThan(limitBytes)
  expect([...packagesIn(start)]).toEqual([])
  // What is fetched for the first connection is there, and holds no validator that compiles code.
  expect([...packagesIn(later)]).toContain('@modelcontextprotocol/sdk')
  expect([...packagesIn(later)]).not.toContain('ajv')
})

it('an app that signs people in fetches the protocol no sooner', async () => {
  const { start } = await bundle(
    app
      .replace('{ MCPClient }', '{ MCPClient, oauth }')
      .replace("namespace: 'files'", "namespace: 'files', auth: oauth({ redirectUrl: '/signed-in.html' })"),
  )
  expect([...packagesIn(start)]).toEqual([])
})
