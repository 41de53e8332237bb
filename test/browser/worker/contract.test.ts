import { approvalRequired, combined, prefixed, WorkerToolset } from 'offstage'
import { describeToolSource } from '../../support/tool-source-contract.ts'

const contractWorker = (): Worker =>
  new Worker(new URL('./contract.worker.ts', import.meta.url), { type: 'module' })

const openWorker = () => new WorkerToolset(contractWorker, { size: 1, deps: (deps) => deps })

describeToolSource('a worker', () => ({ source: openWorker() }))

describeToolSource('a worker behind wrappers', () => ({
  source: approvalRequired(
    prefixed(combined([openWorker()], { timeoutMs: 5_000 }), 'my'),
    'all',
    () => false,
  ),
  nameOf: (name) => `my_${name}`,
}))
