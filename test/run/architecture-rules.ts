/** What a folder of src may import. */
export interface FolderRule {
  /** Folders whose code it may run. */
  runTime: readonly string[]
  /** Folders whose types alone it may name. */
  types?: readonly string[]
}

const ANY_PAGE_FOLDER = [
  ...['tool', 'toolset', 'execution', 'storage', 'worker', 'agent', 'models', 'tools', 'retrieval', 'mcp'],
  ...['dialog', 'schema-dialects', 'interop', 'react', 'svelte', 'testing'],
]
const PAGE_CORE = ['tool', 'toolset', 'execution', 'agent']

/** The direction of imports. A folder may always import itself; `''` is a file right in src. */
export const FOLDER_RULES: Readonly<Record<string, FolderRule>> = {
  '': { runTime: ANY_PAGE_FOLDER },
  tool: { runTime: [] },
  toolset: { runTime: ['tool'] },
  execution: { runTime: ['tool', 'toolset', 'storage', 'schema-dialects'] },
  agent: { runTime: ['tool', 'toolset', 'execution', 'storage', 'schema-dialects'] },
  storage: { runTime: ['tool'] },
  worker: { runTime: ['tool', 'toolset', 'storage'] },
  retrieval: { runTime: ['tool', 'toolset', 'storage', 'schema-dialects'], types: ['agent'] },
  mcp: { runTime: ['tool', 'toolset', 'storage'], types: ['execution', 'dialog'] },
  tools: { runTime: ['tool', 'storage'], types: ['toolset'] },
  models: { runTime: ['tool', 'schema-dialects'], types: ['agent'] },
  'schema-dialects': { runTime: ['tool'] },
  interop: { runTime: ANY_PAGE_FOLDER },
  dialog: { runTime: ['tool'], types: PAGE_CORE },
  react: { runTime: ['tool', 'agent'], types: PAGE_CORE },
  svelte: { runTime: ['tool'], types: PAGE_CORE },
  testing: { runTime: [], types: PAGE_CORE },
  companion: { runTime: [] },
}

/** Folders (ending in `/`) and files below src that may use what only a page or a browser's window has. */
export const DOM_PLACES: readonly string[] = [
  ...[
    'dialog/',
    'react/',
    'svelte/',
    'storage/',
    'worker/open-worker.ts',
    'worker/worker-pool.ts',
    'interop/webmcp/',
  ],
  ...['mcp/oauth/', 'mcp/connection/', 'mcp/connect-companion.ts'],
]

/** The only places that may touch IndexedDB, OPFS and Web Locks. */
export const STORAGE_PLACES: readonly string[] = ['storage/']

/** The only places that may use what only Node has. */
export const NODE_PLACES: readonly string[] = ['companion/']

/** Packages that one place alone may import. */
export const PACKAGE_PLACES: Readonly<Record<string, readonly string[]>> = {
  comlink: ['worker/', 'retrieval/'],
  '@cfworker/json-schema': ['tool/'],
  '@modelcontextprotocol/sdk': [
    ...['connection', 'fault', 'protocol', 'session'].map((name) => `mcp/connection/sdk-${name}.ts`),
    ...['provider', 'sign-in'].map((name) => `mcp/oauth/sdk-${name}.ts`),
    'companion/',
  ],
  '@orama/orama': ['retrieval/'],
  fflate: ['tools/notes/note-zip.ts', 'tools/notes/unpack-zip.ts'],
  'eventsource-parser': ['models/', 'mcp/connection/'],
  react: ['react/'],
  svelte: ['svelte/'],
}

/** What a file must not load at run time, directly or through others: it would be shipped to all who import it. */
export const CLOSURE_RULES: readonly { from: string; without: readonly string[] }[] = [
  { from: 'src/index.ts', without: ['@modelcontextprotocol/sdk', '@orama/orama'] },
  { from: 'src/tool/tool.ts', without: ['@cfworker/json-schema', 'comlink'] },
]

/** Most lines of a source file. */
export const MAX_FILE_LINES = 250

/** Whether a file, named as below src, is one of the places. */
export function isIn(places: readonly string[], name: string): boolean {
  return places.some((place) => (place.endsWith('/') ? name.startsWith(place) : name === place))
}
