import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { entryPoints } from '../../vite.config.ts'
import { readProjectFile, root } from '../run/project.ts'
import { isDocumented, readPublicNames } from '../run/public-names.ts'

// A line here is a promise to users: adding, renaming or removing one is a decision, not a side effect.
const VALUES: Record<string, string[]> = {
  offstage: [
    ...['Agent', 'RunError', 'ToolExecutor', 'ToolRegistry', 'Toolkit', 'WorkerToolset'],
    ...[
      'Tool',
      'tool',
      'jsonSchema',
      'parameters',
      'ToolResponse',
      'transfer',
      'modelTextsEn',
      'modelTextsZh',
      'policyTextsEn',
      'policyTextsZh',
      'defaultPolicy',
      'strictPolicy',
    ],
    ...[
      'ApprovalRequired',
      'ModelRetry',
      'ToolError',
      'ToolFailed',
      'ToolRegistrationError',
      'ToolWorkerError',
    ],
    ...[
      'approvalRequired',
      'combined',
      'dynamic',
      'external',
      'filtered',
      'labelled',
      'prefixed',
      'prepared',
    ],
    ...['renamed', 'selectTools', 'Toolset', 'wrapped'],
    ...['cacheMiddleware', 'logMiddleware', 'retryMiddleware'],
    ...['AgentSession', 'ApprovalQueue', 'assertValidHistory', 'compactHistory', 'otelObserver'],
    ...['CallDeferred', 'finalAnswer', 'Grants', 'RunStateError', 'withoutFence'],
    ...['indexedDBRunStore', 'memoryRunStore', 'runStore', 'indexedDBStore', 'memoryStore'],
    ...['memoryResultStore', 'opfsResultStore'],
    ...['grantsElement', 'defineGrantsElement', 'grantsTextsEn', 'grantsTextsZh'],
    ...[
      'isToolError',
      'confirmDialog',
      'elicitDialog',
      'elicitTextsEn',
      'elicitTextsZh',
      'dialogTextsEn',
      'dialogTextsZh',
      'openFolder',
      'StorageError',
    ],
    ...['describePortability', 'dialectTextsEn', 'dialectTextsZh', 'projectTools'],
    ...['forAnthropic', 'forGemini', 'forMCP', 'forOpenAI'],
  ],
  'offstage/worker': ['serveTools'],
  'offstage/tools': [
    ...['CalculatorTool', 'calculatorTextsEn', 'calculatorTextsZh', 'CLITool', 'cliTextsEn', 'cliTextsZh'],
    ...['SearchTool', 'searchTextsEn', 'searchTextsZh', 'mediaWikiSource'],
    ...['NoteError', 'NoteStore', 'NotesTool', 'notesTextsEn', 'notesTextsZh'],
  ],
  'offstage/mcp': [
    ...['MCPClient', 'McpError', 'AuthorizationError', 'finishAuthorization', 'oauth'],
    ...['memoryTokenStore', 'sessionTokenStore', 'mcpTextsEn', 'mcpTextsZh'],
    ...['CompanionError', 'companionTextsEn', 'companionTextsZh', 'connectCompanion'],
    ...['exportPins', 'importPins', 'indexedDBPinStore', 'keyValuePinStore', 'memoryPinStore'],
  ],
  'offstage/retrieval': [
    ...['estimateTokens', 'kneePoint', 'remoteToolIndex', 'scoreThreshold', 'serveToolIndex', 'ToolIndex'],
    ...['ToolRetriever', 'ToolSearchTool', 'toolSearchTextsEn', 'toolSearchTextsZh'],
  ],
  'offstage/models': ['ModelError', 'fromLanguageModel', 'openAICompatible'],
  'offstage/interop': [
    ...[
      'chatTransport',
      'exposeWebMCP',
      'fromAISDKTools',
      'fromPlainTools',
      'fromWebMCP',
      'standardTool',
      'toAISDKTools',
    ],
    ...['toOpenAIAgentsTools', 'toTanStackTools'],
  ],
  'offstage/react': ['useAgentSession', 'usePendingApprovals', 'useTool'],
  'offstage/svelte': ['useTool'],
  'offstage/testing': ['ScriptedModel'],
  'offstage/companion': ['startCompanion'],
}

const names = new Map(
  entryPoints.map(({ name, source }) => [name, readPublicNames(source, readProjectFile(source) ?? '')]),
)

async function node(script: string): Promise<{ stdout: string; stderr: string }> {
  // Rejects on a non-zero exit code; the time limit is a guard for an import that keeps Node alive.
  return await promisify(execFile)(process.execPath, ['-e', script], { cwd: root, timeout: 15_000 })
}

test('every entry point has its list of values', () => {
  expect(Object.keys(VALUES)).toEqual([...names.keys()])
})

const entryNames = [...names.keys()]

test.each(entryNames)('L06 importing %s in plain Node has no effect and does not fail', async (name) => {
  expect(await node(`import('${name}')`)).toEqual({ stdout: '', stderr: '' })
})

test.each(entryNames)('L06 importing %s in plain Node adds nothing to the global object', async (name) => {
  const script = `const before = Reflect.ownKeys(globalThis)
    import('${name}').then(() => {
      const added = Reflect.ownKeys(globalThis).filter((key) => !before.includes(key))
      process.stdout.write(JSON.stringify(added.map(String)))
    })`
  expect((await node(script)).stdout).toBe('[]')
})

test('notes that are kept in the memory of a Node process do not keep it running', async () => {
  const script = `import('offstage/tools').then(async ({ NoteStore }) => {
    const store = new NoteStore()
    store.subscribe(() => {})
    await store.append('a.md', 'text')
    process.stdout.write((await store.storage()).tier)
  })`
  expect(await node(script)).toEqual({ stdout: 'memory', stderr: '' })
})

describe.each(entryNames)('%s', (name) => {
  test('exports the values it promises, in the sources and in the built package', async () => {
    const promised = VALUES[name]?.toSorted()
    const values = names.get(name)?.filter(({ typeOnly }) => !typeOnly)
    expect(values?.map((value) => value.name).sort()).toEqual(promised)
    const built = await node(
      `import('${name}').then((all) => process.stdout.write(JSON.stringify(Object.keys(all))))`,
    )
    expect((JSON.parse(built.stdout) as string[]).sort()).toEqual(promised)
  })

  test('documents every name it exports, where the name is defined', () => {
    const undocumented = names.get(name)?.filter(({ file, localName }) => {
      const text = readProjectFile(file)
      return text === undefined || isDocumented(text, localName) !== true
    })
    expect(undocumented?.map(({ file, localName }) => `${file} ${localName}`)).toEqual([])
  })
})

describe('the reader of public names', () => {
  test('finds each form of export', () => {
    const text = [
      "export { a, type B, c as d } from './one.ts'",
      "export type { E } from '../two.ts'",
      'export const f = 1',
      'export interface G {}',
      "// export { not } from './three.ts'",
    ].join('\n')
    expect(readPublicNames('src/x/index.ts', text)).toEqual([
      { name: 'a', typeOnly: false, file: 'src/x/one.ts', localName: 'a' },
      { name: 'B', typeOnly: true, file: 'src/x/one.ts', localName: 'B' },
      { name: 'd', typeOnly: false, file: 'src/x/one.ts', localName: 'c' },
      { name: 'E', typeOnly: true, file: 'src/two.ts', localName: 'E' },
      { name: 'f', typeOnly: false, file: 'src/x/index.ts', localName: 'f' },
      { name: 'G', typeOnly: true, file: 'src/x/index.ts', localName: 'G' },
    ])
  })

  test('tells a documented name from one that is not', () => {
    const text = '/** A. */\nexport const a = 1\n\n/* B. */\nexport function b() {}\n\nexport class C {}\n'
    expect(['a', 'b', 'C', 'd'].map((name) => isDocumented(text, name))).toEqual([
      true,
      false,
      false,
      undefined,
    ])
  })

  test('wants a comment on the type and on the value that share a name', () => {
    const half = '/** A. */\nexport interface A {}\n\nexport const A = 1\n'
    expect(isDocumented(half, 'A')).toBe(false)
    expect(isDocumented(half.replace('export const', '/** Makes one. */\nexport const'), 'A')).toBe(true)
  })

  test('wants one comment for all signatures of a function', () => {
    const text = '/** A. */\nexport function a(x: string): void\nexport function a(x: number): void\n'
    expect(isDocumented(text, 'a')).toBe(true)
  })
})
