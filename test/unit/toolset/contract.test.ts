import {
  approvalRequired,
  combined,
  dynamic,
  filtered,
  labelled,
  prefixed,
  prepared,
  renamed,
  type SourceCallOptions,
  selectTools,
  Toolkit,
  ToolRegistry,
  type ToolSource,
  Toolset,
  wrapped,
} from 'offstage'
import { describeToolSource } from '../../support/tool-source-contract.ts'
import { contractTools } from '../../support/tool-source-contract-tools.ts'
import { sourceForRun, sourceForStep } from './sources.ts'

const tools = () => new Toolset([...contractTools])

function registry(): ToolSource {
  const all = new ToolRegistry()
  all.registerAll([...contractTools])
  return all.toolset()
}

/** A source of another maker, which does not report starts. */
function foreign(): ToolSource {
  const source = tools()
  return {
    list: () => source.list(),
    preflight: (name, input, options) => source.preflight(name, input, options),
    call: (name, input, { onStart: _never, ...options }: SourceCallOptions = {}) =>
      source.call(name, input, options),
  }
}

async function inStep(source: ToolSource): Promise<ToolSource> {
  const context = { runId: 'run', deps: { user: 'Ada' } }
  return sourceForStep(await sourceForRun(source, context), { ...context, step: 1 })
}

const sources: Record<string, () => ToolSource | Promise<ToolSource>> = {
  'a registry': registry,
  'a list of tools': tools,
  'a toolkit': () => new Toolset([new Toolkit({ name: 'kit', tools: [...contractTools] })]),
  'a source of another maker': foreign,
  combined: () => combined([new Toolset(contractTools.slice(0, 3)), new Toolset(contractTools.slice(3))]),
  'combined over a source of another maker': () => combined([foreign()]),
  'combined with limits': () =>
    combined([tools()], { timeoutMs: 5_000, maxRetries: 3, onSourceError: 'skip' }),
  filtered: () => filtered(tools(), 'all'),
  'filtered by a function': () => filtered(tools(), () => true),
  prepared: () => prepared(tools(), (definition) => ({ ...definition, description: 'Other.' })),
  approvalRequired: () => approvalRequired(tools(), 'all', () => false),
  labelled: () => labelled(tools(), { metadata: { group: 'a' } }),
  wrapped: () => wrapped(tools(), { before: () => {} }),
  selectTools: () => selectTools(tools(), { select: () => true }),
  dynamic: () => dynamic(() => [...contractTools]),
  'dynamic over a source of another maker': () => dynamic(async () => foreign()),
  'a Toolset': () => new Toolset([...contractTools]).filtered('all').labelled({ metadata: { group: 'a' } }),
}

for (const [name, open] of Object.entries(sources)) {
  describeToolSource(name, async () => ({ source: await open() }))
  describeToolSource(`${name}, in a step of a run`, async () => ({ source: await inStep(await open()) }))
}

describeToolSource('prefixed', () => ({ source: prefixed(tools(), 'my'), nameOf: (name) => `my_${name}` }))

const swapped: Record<string, string> = { add: 'wait', wait: 'add' }
describeToolSource('renamed', () => ({
  source: renamed(tools(), swapped),
  nameOf: (name) => swapped[name] ?? name,
}))
