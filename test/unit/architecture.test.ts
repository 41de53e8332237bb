import { describe, expect, test } from 'vitest'
import { runTimePackages } from '../../vite.config.ts'
import { checkArchitecture } from '../run/check-architecture.ts'
import type { ProjectFacts } from '../run/check-imports.ts'
import { projectFacts, readSources } from '../run/project.ts'
import { readSourceFiles } from '../run/source-file.ts'
import { readSourceText } from '../run/source-text.ts'

test('the sources keep the rules of the source layout', () => {
  expect(checkArchitecture(readSources(), projectFacts)).toEqual([])
})

test('every entry point of package.json has a source', () => {
  expect([...projectFacts.entries].filter((entry) => !readSources().has(entry))).toEqual([])
})

test('vite.config.ts names every package path that the sources of pages load', () => {
  const pages = readSourceFiles(readSources()).filter(({ folder }) => folder !== 'companion')
  const imports = pages.flatMap((source) => source.imports)
  const loaded = imports.filter(
    ({ file, specifier, typeOnly }) => !typeOnly && !file && !specifier.startsWith('node:'),
  )
  const paths = [...new Set(loaded.map(({ specifier }) => specifier))]
  expect(paths.sort()).toEqual(runTimePackages.toSorted())
})

const facts: ProjectFacts = {
  entries: new Set(['src/index.ts', 'src/tools/index.ts']),
  packages: new Set(['valibot', 'comlink', '@cfworker/json-schema', '@orama/orama']),
}

function check(files: Record<string, string>): string[] {
  return checkArchitecture(new Map(Object.entries(files)), facts)
}

describe('a planted import', () => {
  test.each([
    ['against the direction', 'src/tool/a.ts', "import { b } from '../execution/b.ts'", "not from 'tool'"],
    [
      'of a type against the direction',
      'src/tool/a.ts',
      "import type { B } from '../agent/b.ts'",
      "not from 'tool'",
    ],
    ['over two lines', 'src/toolset/a.ts', "import {\n  b,\n} from '../agent/b.ts'", "not from 'toolset'"],
    ['that loads code', 'src/toolset/a.ts', "const b = await import('../agent/b.ts')", "not from 'toolset'"],
    [
      'of code where types are allowed',
      'src/dialog/a.ts',
      "import { b } from '../agent/b.ts'",
      'import type only',
    ],
    ['of an emptied line', 'src/tools/a.ts', "import { type B } from '../toolset/b.ts'", 'import type only'],
    ['from a file right in src', 'src/index.ts', "export { b } from './companion/b.ts'", "not from 'src'"],
    ['from a new folder', 'src/utils/a.ts', "import { b } from '../tool/b.ts'", 'the design does not name'],
    [
      'of an entry file',
      'src/agent/a.ts',
      "import { b } from '../tools/index.ts'",
      'entry file src/tools/index.ts',
    ],
    [
      'of the root entry',
      'src/agent/a.ts',
      "import type { B } from '../index.ts'",
      'entry file src/index.ts',
    ],
    ['that passes on', 'src/agent/a.ts', "export { b } from '../tool/b.ts'", 'only entry files re-export'],
    ['that passes on everything', 'src/index.ts', "export * from './tool/b.ts'", 'exports everything'],
    ['without an extension', 'src/agent/a.ts', "import { b } from '../tool/b'", 'without .ts'],
    ['from outside', 'src/agent/a.ts', "import { b } from '../../test/b.ts'", 'outside src'],
    ['of Node', 'src/tool/a.ts', "import { readFileSync } from 'node:fs'", 'only companion/ runs in Node'],
    ['of Node by its old name', 'src/tool/a.ts', "import { readFileSync } from 'fs'", 'no dependency'],
    ['of a strange package', 'src/tool/a.ts', "import 'left-pad'", 'no dependency'],
    [
      'of comlink',
      'src/execution/a.ts',
      "import type { Remote } from 'comlink'",
      'only worker/ and retrieval/ may',
    ],
    [
      'of the JSON Schema validator',
      'src/worker/a.ts',
      "import { b } from '@cfworker/json-schema'",
      'only tool/ may',
    ],
  ])('%s is found', (_what, path, line, complaint) => {
    const [found = '', ...more] = check({ [path]: `// first line\n${line}\n` }).filter((text) =>
      /import|export|folder/.test(text),
    )
    expect(found).toMatch(new RegExp(`^${path}:[12] `))
    expect([found, ...more].join('\n')).toContain(complaint)
  })

  test('that the design allows is not reported', () => {
    const files = {
      'src/index.ts': "export { type A, a } from './agent/a.ts'\nexport type { B } from './tool/b.ts'\n",
      'src/agent/a.ts':
        "import { object } from 'valibot'\nimport { b } from '../tool/b.ts'\nimport './c.ts'\n",
      'src/agent/c.ts': "import type { Deadline } from '../execution/deadline.ts'\n",
      'src/dialog/d.ts': "import type { A } from '../agent/a.ts'\n",
      'src/companion/e.ts': "import { spawn } from 'node:child_process'\n",
      'src/tool/b.ts':
        "// import { x } from '../agent/x.ts'\nconst text = `\nimport { x } from '../agent/x.ts'\n`\n",
    }
    expect(check(files)).toEqual([])
  })

  test('that an index file collects is a barrel', () => {
    expect(check({ 'src/tool/index.ts': "export { b } from './b.ts'\n" })).toEqual([
      'src/tool/index.ts:1 is an index file but no entry point: import files directly',
      "src/tool/index.ts:1 passes on './b.ts': only entry files re-export",
    ])
  })
})

describe('a planted circle', () => {
  const other = { 'src/tool/b.ts': "import { c } from './c.ts'\n" }

  test('of three files is found once, with its files', () => {
    const files = {
      ...other,
      'src/tool/a.ts': "import './b.ts'\n",
      'src/tool/c.ts': "import { a } from './a.ts'\n",
    }
    expect(check(files)).toEqual([
      'src/tool/a.ts:1 closes a circle of imports: src/tool/b.ts -> src/tool/c.ts -> src/tool/a.ts -> src/tool/b.ts',
    ])
  })

  test('that exists in types only is allowed', () => {
    expect(check({ ...other, 'src/tool/c.ts': "import type { B } from './b.ts'\n" })).toEqual([])
  })
})

test('a heavy package that a light file loads through another is found', () => {
  const files = {
    'src/tool/tool.ts': "import { validate } from './validate.ts'\n",
    'src/tool/validate.ts': "import { Validator } from '@cfworker/json-schema'\n",
  }
  expect(check(files)).toEqual([
    "src/tool/validate.ts:1 loads '@cfworker/json-schema', which src/tool/tool.ts must not: src/tool/tool.ts -> src/tool/validate.ts",
  ])
})

describe('planted code', () => {
  test.each([
    ['a page global', 'document.title', "'document'"],
    ['a page global read from the global object', 'globalThis.localStorage', "'localStorage'"],
    ['a common word read from the global object', 'globalThis.location.href', "'location'"],
    ['a page global that is spread', '[...document.forms]', "'document'"],
    ['a page global in a condition', 'yes ? document : null', "'document'"],
    ['a page global in a template', `\`a \${document.title} b\``, "'document'"],
    ['a page global as a type', '(element: HTMLDialogElement) => element', "'HTMLDialogElement'"],
    ['a started worker', "new Worker('x.js')", "'new Worker'"],
    ['browser storage', 'navigator.storage', "'navigator.storage'"],
    ['any', '(value: any) => value', "'any'"],
    ['any in a list', '[] as any[]', "'any'"],
    ['any in a type argument', 'new Map<string, any>()', "'any'"],
  ])('%s is found', (_what, expression, complaint) => {
    const found = check({ 'src/tool/a.ts': `/** A. */\nexport const a = ${expression}\n` })
    expect(found.join('\n')).toContain(`src/tool/a.ts:2 ${complaint}`)
  })

  test.each([
    ['a property', 'page.document.title'],
    ['a member name', '{ document: 1, window: 2 }'],
    ['a text', "'window and document' + \"it's any\" + `document`"],
    ['a regular expression', `/document["'\`]/.test(\`\${b}\`) // "`],
    ['part of a longer name', 'documentCount + windowMs + $window'],
    ['a common word', 'history.length + location.length'],
    ['a worker as a type', '(make: () => Worker): Worker => make()'],
    ['a method named any', 'AbortSignal.any([])'],
  ])('%s is not taken for a fault', (_what, expression) => {
    expect(check({ 'src/tool/a.ts': `/* document */\nexport const a = ${expression}\n` })).toEqual([])
  })

  test('of a page is allowed where the design says so', () => {
    const text = 'export const a = () => new Worker(document.title)\n'
    expect(check({ 'src/worker/worker-pool.ts': text, 'src/dialog/a.ts': text })).toEqual([])
    expect(check({ 'src/worker/serve-tools.ts': text })).toHaveLength(2)
  })

  test('with the address of a worker file is found everywhere', () => {
    const text = "export const a = () => new Worker(new URL('./b.ts', import.meta.url))\n"
    expect(check({ 'src/worker/worker-pool.ts': text })).toHaveLength(1)
  })

  test('that is too long is found', () => {
    expect(check({ 'src/tool/a.ts': '\n'.repeat(250) })).toEqual([])
    expect(check({ 'src/tool/a.ts': '\n'.repeat(251) })).toEqual([
      'src/tool/a.ts:1 has 251 lines: at most 250',
    ])
  })

  test('with a default export or a name in capitals is found', () => {
    expect(check({ 'src/tool/ToolName.ts': 'export default 1\n' })).toEqual([
      'src/tool/ToolName.ts:1 is not named in kebab case',
      "src/tool/ToolName.ts:1 'export default' is not allowed: every export has a name",
    ])
  })
})

test('comments, strings and regular expressions are told from code without moving a line', () => {
  const text = `const a = 1 / 2 // it's
const b = \`x \${c / \`y \${{ e: /\`/ }} z\`} /* no */\`
const d = /[/'"]/g
`
  const { code, withoutComments } = readSourceText(text)
  expect(code.split('\n')).toEqual([
    'const a = 1 / 2        ',
    `const b = \`  \${c / \`  \${{ e:     }}  \`}         \``,
    'const d =         ',
    '',
  ])
  expect(withoutComments).toBe(text.replace("// it's", '       '))
})
