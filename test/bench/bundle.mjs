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
  chat: `import { Agent, confirmDialog, tool } from 'offstage'
import { openAICompatible } from 'offstage/models'
import * as v from 'valibot'
const up = tool({ name: 'up', description: 'Uppercase.', inputSchema: v.object({ text: v.string() }),
  needsApproval: true, execute: ({ text }) => text.toUpperCase() })
const model = openAICompatible({ baseURL: globalThis.server, model: 'any' })
globalThis.agent = new Agent({ model, tools: [up], confirm: confirmDialog() })`,
}

/** Programs of which is also told what they load later, by import(), so that the start hides nothing. */
const withLater = ['page', 'app', 'chat']

/**
 * Bundles each program with Vite and gives the size of its code, minified and gzipped, and the packages and modules of
 * the library in what is needed at start. A figure by the name of the program is the start; `…Later` is all the rest.
 * @returns {Promise<{ figures: Record<string, number>, packages: Record<string, string[]>, modules: Record<string, string[]> }>}
 */
export async function measureBundle() {
  mkdirSync(folder, { recursive: true })
  const options = await viteOptions()
  /** @type {Record<string, number>} */
  const figures = {}
  /** @type {Record<string, string[]>} */
  const packages = {}
  /** @type {Record<string, string[]>} */
  const modules = {}
  for (const [name, code] of Object.entries(programs)) {
    const input = join(folder, `${name}.js`)
    writeFileSync(input, code)
    const output = await build({
      ...options,
      root: folder,
      build: { write: false, minify: true, modulePreload: false, rolldownOptions: { input } },
    })
    const { start, later } = chunksOf(output)
    figures[name] = gzipped(start)
    if (withLater.includes(name)) figures[`${name}Later`] = gzipped(later)
    const paths = start.flatMap(modulesOf)
    packages[name] = namesIn(paths, /node_modules\/((?:@[^/]+\/)?[^/]+)/)
    modules[name] = namesIn(paths, /\/src\/(.+)\.ts$/)
  }
  return { figures, packages, modules }
}

/** @param {readonly { code: string }[]} chunks */
function gzipped(chunks) {
  return chunks.reduce((sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length, 0)
}

/** @param {Awaited<ReturnType<typeof build>>} output */
function chunksOf(output) {
  if (Array.isArray(output) || !('output' in output)) throw new Error('expected one bundle')
  const chunks = output.output.filter((file) => file.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (entry === undefined) throw new Error('the bundle has no entry')
  const start = new Set([entry])
  for (const chunk of start) {
    for (const imported of chunk.imports) {
      const found = byName.get(imported)
      if (found !== undefined) start.add(found)
    }
  }
  return { start: [...start], later: chunks.filter((chunk) => !start.has(chunk)) }
}

/** @param {{ modules: Record<string, { renderedLength: number }> }} chunk */
function modulesOf({ modules }) {
  return Object.entries(modules).flatMap(([path, { renderedLength }]) => {
    return renderedLength > 0 ? [path.replaceAll('\\', '/')] : []
  })
}

/**
 * What the pattern's first group finds, once each, in order.
 * @param {readonly string[]} paths
 * @param {RegExp} pattern
 */
function namesIn(paths, pattern) {
  const names = paths.map((path) => pattern.exec(path)?.[1]).filter((name) => name !== undefined)
  return [...new Set(names)].sort()
}
