import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { root } from '../../.ci/processes.mjs'
import { viteOptions } from './vite-options.mjs'

const folder = join(root, 'test/.results/bundle')

/** What an app imports, by the figure it stands for. */
const programs = {
  core: `import { tool, ToolRegistry } from 'offstage'
console.log(tool, ToolRegistry)`,
  page: `import { Agent, confirmDialog, WorkerToolset } from 'offstage'
console.log(Agent, confirmDialog, WorkerToolset)`,
  worker: `import { tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'
serveTools([tool({ name: 'up', description: 'Uppercase.', inputSchema: v.object({ text: v.string() }),
  execute: ({ text }) => text.toUpperCase() })])`,
  app: `import { Agent, tool } from 'offstage'
import * as v from 'valibot'
const up = tool({ name: 'up', description: 'Uppercase.', inputSchema: v.object({ text: v.string() }),
  needsApproval: true, execute: ({ text }) => text.toUpperCase() })
const model = { name: 'stub', stream: globalThis.model }
globalThis.agent = new Agent({ model, tools: [up], confirm: (request) => globalThis.ask(request) })`,
}

/**
 * Bundles each program with Vite and gives the code that is needed at start, minified and gzipped, and the
 * packages in it.
 * @returns {Promise<{ figures: Record<string, number>, packages: Record<string, string[]> }>}
 */
export async function measureBundle() {
  mkdirSync(folder, { recursive: true })
  const options = await viteOptions()
  /** @type {Record<string, number>} */
  const figures = {}
  /** @type {Record<string, string[]>} */
  const packages = {}
  for (const [name, code] of Object.entries(programs)) {
    const input = join(folder, `${name}.js`)
    writeFileSync(input, code)
    const output = await build({
      ...options,
      root: folder,
      build: { write: false, minify: true, modulePreload: false, rolldownOptions: { input } },
    })
    const chunks = startChunks(output)
    figures[name] = chunks.reduce((sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length, 0)
    packages[name] = [...new Set(chunks.flatMap(packagesOf))].sort()
  }
  return { figures, packages }
}

/** @param {Awaited<ReturnType<typeof build>>} output */
function startChunks(output) {
  if (Array.isArray(output) || !('output' in output)) throw new Error('expected one bundle')
  const chunks = output.output.filter((file) => file.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (entry === undefined) throw new Error('the bundle has no entry')
  // Without what is loaded later, by import().
  const needed = new Set([entry])
  for (const chunk of needed) {
    for (const imported of chunk.imports) {
      const found = byName.get(imported)
      if (found !== undefined) needed.add(found)
    }
  }
  return [...needed]
}

/** @param {{ modules: Record<string, { renderedLength: number }> }} chunk */
function packagesOf(chunk) {
  return Object.entries(chunk.modules).flatMap(([path, { renderedLength }]) => {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path.replaceAll('\\', '/'))
    return renderedLength > 0 && found?.[1] !== undefined ? [found[1]] : []
  })
}
