import { isAbsolute, join } from 'node:path'
import { build, type Plugin } from 'vite'
import { entryPoints } from '../../vite.config.ts'
import { countedLines } from './counted-lines.ts'
import { root } from './project.ts'

// No folder of the disk: two runs at the same time cannot get in each other's way.
const folder = join(root, 'test/.results/library')

interface BundledFile {
  readonly code: string
  readonly map: string | null
}

/**
 * Serves the library to pages and workers as a few files, bundled in memory when the first test asks for it. As
 * sources it is some 70 files, which the development server hands to each worker one by one: more time than most
 * tests take.
 */
export function bundledLibrary(): Plugin {
  const entries = new Map(entryPoints.map(({ name, source }) => [name, source]))
  let files: Promise<ReadonlyMap<string, BundledFile>> | undefined
  return {
    name: 'offstage:bundled-library',
    enforce: 'pre',
    resolveId: (id, importer) => {
      const source = entries.get(id)
      if (source !== undefined) return join(folder, fileOf(source))
      return importer?.startsWith(folder) && id.startsWith('.') ? join(importer, '..', id) : undefined
    },
    load: async (id) => {
      if (!id.startsWith(folder)) return undefined
      files ??= bundle()
      return (await files).get(id)
    },
  }
}

function fileOf(source: string): string {
  return source.replace(/^src\//, '').replace(/\.ts$/, '.js')
}

function isPackage(id: string): boolean {
  return !id.startsWith('.') && !isAbsolute(id)
}

async function bundle(): Promise<ReadonlyMap<string, BundledFile>> {
  const entry = Object.fromEntries(
    entryPoints.map(({ source }) => [fileOf(source).replace(/\.js$/, ''), join(root, source)]),
  )
  const output = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: process.env.COVERAGE ? [countedLines()] : [],
    build: {
      write: false,
      minify: false,
      sourcemap: true,
      target: 'es2023',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { external: isPackage, output: { entryFileNames: '[name].js' } },
    },
  })
  const outputs = Array.isArray(output) ? output : [output]
  const chunks = outputs.flatMap((one) => ('output' in one ? one.output : []))
  return new Map(
    chunks.flatMap((file) => {
      if (file.type !== 'chunk') return []
      return [[join(folder, file.fileName), { code: file.code, map: file.map?.toString() ?? null }]]
    }),
  )
}
