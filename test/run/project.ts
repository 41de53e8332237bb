import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { entryPoints } from '../../vite.config.ts'
import type { ProjectFacts } from './check-imports.ts'

/** The repository's root folder, absolute. */
export const root: string = join(import.meta.dirname, '../..')

/** What package.json says about the sources. */
export const projectFacts: ProjectFacts = {
  entries: new Set(entryPoints.map(({ source }) => source)),
  packages: new Set([...Object.keys(packageJson.dependencies), ...Object.keys(optionalPeers())]),
}

/** Every TypeScript file of src: path from the root (with `/`) and text. */
export function readSources(): Map<string, string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const paths = files
    .filter((file) => /\.[cm]?tsx?$/.test(file))
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** The text of a file of the project, or undefined when there is none. */
export function readProjectFile(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
}

function optionalPeers(): Record<string, string> {
  const { peerDependencies } = packageJson as { peerDependencies?: Record<string, string> }
  return peerDependencies ?? {}
}
