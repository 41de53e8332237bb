import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { beforeAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import tsconfig from '../../tsconfig.json' with { type: 'json' }
import { entryPoints } from '../../vite.config.ts'
import { root } from '../run/project.ts'

const run = promisify(execFile)
const destination = join(root, 'test/.results')
let tarball = ''
let packed: string[] = []

beforeAll(async () => {
  await mkdir(destination, { recursive: true })
  // As after `npm run build`: the built demo lies beside the library.
  await mkdir(join(root, 'dist/demo'), { recursive: true })
  await writeFile(join(root, 'dist/demo/planted.html'), '')
  // Scripts would build again, under the feet of the other tests.
  const programArguments = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination]
  const { stdout } = await run('npm', programArguments, { cwd: root })
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }]
  tarball = join(destination, filename)
  packed = files.map(({ path }) => path)
})

test('publint finds nothing wrong with the packed package', async () => {
  const contents = Uint8Array.from(await readFile(tarball)).buffer
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: contents } })
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
})

test('attw finds the types of every entry point right for ESM', async () => {
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const programArguments = [
    attw,
    tarball,
    '--profile',
    'esm-only',
    '--no-color',
    '--no-emoji',
    '--format',
    'ascii',
  ]
  const output = await run(process.execPath, programArguments).then(
    () => 'no problem',
    (error: { stdout?: string }) => error.stdout ?? String(error),
  )
  expect(output).toBe('no problem')
})

test('the package holds the library, its sources and its papers, and nothing else', () => {
  const expected = /^(?:dist\/|src\/|(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$)/
  expect(packed.filter((path) => !expected.test(path))).toEqual([])
  expect(
    packed.filter((path) => /demo|tsconfig|(?:^|\/)tests?\/|\.(?:test|spec|test-d)\./.test(path)),
  ).toEqual([])
})

test('the package holds code and types of every entry point', () => {
  const files = entryPoints.map(({ source }) => source.replace('src/', 'dist/').replace(/\.ts$/, ''))
  const wanted = files.flatMap((file) => [`${file}.js`, `${file}.d.ts`])
  expect(wanted.filter((path) => !packed.includes(path))).toEqual([])
})

test('every map of the package leads to a source in the package', async () => {
  const maps = packed.filter((path) => path.endsWith('.map'))
  const sources = await Promise.all(
    maps.map(async (map) => {
      const { sources } = JSON.parse(await readFile(join(root, map), 'utf8')) as { sources: string[] }
      return sources.map((source) => posix.join(posix.dirname(map), source))
    }),
  )
  expect(maps.length).toBeGreaterThan(0)
  expect(sources.flat().filter((source) => !packed.includes(source))).toEqual([])
})

test('package.json is ESM only, free of side effects, and pins every version', () => {
  expect(packageJson).toMatchObject({ type: 'module', sideEffects: false })
  const versions = Object.entries({ ...packageJson.dependencies, ...packageJson.devDependencies })
  expect(versions.filter(([, version]) => !/^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

test('tsconfig.json finds every entry point by the name its users write', () => {
  const paths = entryPoints.map(({ name, source }) => [name, [`./${source}`]])
  expect(tsconfig.compilerOptions.paths).toEqual(Object.fromEntries(paths))
})
