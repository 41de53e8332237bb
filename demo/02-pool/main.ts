import { ToolRegistry, WorkerToolset } from 'offstage'
import { codeView } from '../shared/code-view.ts'
import { element } from '../shared/element.ts'
import { frameMeter } from '../shared/frame-meter.ts'
import { columns, emptyState, panel, row, statusLine } from '../shared/panel.ts'
import type { Story } from '../shared/story.ts'
import { countPrimes } from './count-primes.ts'
import source from './count-primes.ts?raw'
import type { tools } from './primes.worker.ts'
import workerSource from './primes.worker.ts?raw'
import { type Race, runner } from './race.ts'
import { resultTable } from './result-table.ts'

const pageCode = `import type { tools } from './primes.worker.ts'

const pool = new WorkerToolset<typeof tools>(
  () =>
    new Worker(new URL('./primes.worker.ts', import.meta.url), {
      type: 'module',
    }),
)
const executor = new ToolExecutor({ tools: pool })
const results = await executor.executeStep(calls)`

/** The same eight calls on the page and in a pool of workers. */
export const poolStory: Story = {
  id: 'pool',
  name: 'Pool',
  title: 'Eight calls, on the page and in the pool',
  lead: 'The same tool counts primes eight times, first on the page and then in a pool of workers. On the page no frame is drawn until all is done; in the pool the page keeps drawing and the calls overlap.',
  open: (page, leaving) => {
    const pool = new WorkerToolset<typeof tools>(
      () => new Worker(new URL('./primes.worker.ts', import.meta.url), { type: 'module' }),
    )
    leaving.addEventListener('abort', () => void pool.close())
    const registry = new ToolRegistry()
    registry.register(countPrimes)
    const status = statusLine('Watch the dot while the calls run.')
    const table = element('div', {}, emptyState('Run the calls to see their results, in call order.'))
    const race: Race = {
      meter: frameMeter(leaving),
      leaving,
      scaleMs: 500,
      running: false,
      redraws: [],
      say: (text) => {
        status.textContent = text
      },
      finished: (results) => table.replaceChildren(resultTable(results)),
    }
    const onPage = runner('On the page', registry.toolset(), race)
    const inPool = runner('In the pool', pool, race)
    page.append(
      panel(
        'Run eight calls',
        race.meter.element,
        row(onPage.button, inPool.button),
        status,
        onPage.element,
        inPool.element,
      ),
      panel('Results of the last run', table),
      columns(
        panel('The tool', codeView(source, 'count-primes.ts')),
        panel('Its worker', codeView(workerSource, 'primes.worker.ts'), codeView(pageCode, 'On the page')),
      ),
    )
  },
}
