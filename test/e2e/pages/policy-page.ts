import { Agent, WorkerToolset } from 'offstage'
import { ScriptedModel } from 'offstage/testing'

/** How a run with worker tools ends on this page: the text of its answer, or of its error. */
async function runWithWorker(): Promise<string> {
  const pool = new WorkerToolset(
    () => new Worker(new URL('./everything.worker.ts', import.meta.url), { type: 'module' }),
    { size: 1, readyTimeoutMs: 5_000 },
  )
  const model = new ScriptedModel([ScriptedModel.toolCall('add', { a: 1, b: 2 }), 'Done.'])
  try {
    return (await new Agent({ model, tools: [pool] }).run('go')).finalOutput
  } catch (error) {
    return String(error)
  } finally {
    await pool.close()
  }
}

Object.assign(globalThis, { runWithWorker })
