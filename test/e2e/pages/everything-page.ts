import { Agent, confirmDialog, Grants, grantsElement, indexedDBRunStore, WorkerToolset } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { CalculatorTool } from 'offstage/tools'
import { allowOwnWorkers } from '../../../demo/shared/own-workers.ts'
import type { tools } from './everything.worker.ts'
import { notes, pay } from './everything-tools.ts'

/** What became of a run on this page, by tool name. */
export interface EverythingReport {
  readonly secure: boolean
  readonly isolated: boolean
  readonly status: string
  /** How a run ended that paused in between; absent where nothing can be stored. */
  readonly resumed?: string
  readonly outcomes: Readonly<Record<string, readonly [outcome: string, text: string]>>
}

/** One agent run with worker tools, a page tool, the dialog, a kill, and storage on both sides. */
async function runAll(): Promise<EverythingReport> {
  const pool = new WorkerToolset<typeof tools>(
    () => new Worker(new URL('./everything.worker.ts', import.meta.url), { type: 'module' }),
    { size: 2 },
  )
  const { toolCall } = ScriptedModel
  const model = new ScriptedModel([
    [toolCall('add', { a: 1, b: 2 }), toolCall('calculator', { expression: '6 * 7' }), toolCall('pay')],
    [toolCall('spin'), toolCall('notes'), toolCall('worker_notes')],
    'Done.',
  ])
  const agent = new Agent({
    model,
    tools: [pool, new CalculatorTool(), pay, notes],
    confirm: confirmDialog(),
  })
  const { status, steps } = await agent.run('go')
  await pool.close()
  const resumed = isSecureContext ? await pauseAndResume() : undefined
  const results = steps.flatMap((step) => step.results)
  return {
    secure: isSecureContext,
    isolated: crossOriginIsolated,
    status,
    ...(resumed === undefined ? {} : { resumed }),
    outcomes: Object.fromEntries(
      results.map(({ call, outcome, response }) => [call.name, [outcome, response.text]]),
    ),
  }
}

/** A run that is kept, and the settings for what it may do without asking. */
async function pauseAndResume(): Promise<string> {
  const grants = new Grants()
  document.body.append(grantsElement({ grants }))
  const model = new ScriptedModel([ScriptedModel.toolCall('pay'), ScriptedModel.toolCall('pay'), 'Done.'])
  const store = indexedDBRunStore('everything')
  const agent = new Agent({ model, tools: [pay], confirm: 'pause', store, grants })
  await agent.run('go')
  const [run] = await agent.pendingRuns()
  if (run === undefined) return 'nothing waits'
  const callId = String(run.pending[0]?.callId)
  const yes = { approved: true, remember: 'always' } as const
  const { status } = await agent.resume(run.state, { [callId]: yes })
  const kept = await grants.list()
  await grants.revokeAll()
  return `${status}, ${kept.length} allowed`
}

allowOwnWorkers()
Object.assign(globalThis, { runAll })
