import { Agent, indexedDBRunStore, type RunStore, WorkerToolset } from 'offstage'
import { codeView } from '../shared/code-view.ts'
import { columns, emptyState, panel, statusLine } from '../shared/panel.ts'
import type { Story } from '../shared/story.ts'
import { travelAgent, wish } from './script.ts'
import scriptSource from './script.ts?raw'
import type { tools } from './trains.worker.ts'
import type { Trip } from './trip.ts'
import { tripControls } from './trip-controls.ts'
import { type DeskView, TripDesk } from './trip-desk.ts'
import { tripPapers } from './trip-papers.ts'
import { askTraveller, bookHotel, bookTrain } from './trip-tools.ts'
import toolsSource from './trip-tools.ts?raw'
import { tripView } from './trip-view.ts'

const pageCode = `const store = indexedDBRunStore('offstage-demo-runs')
const agent = new Agent({
  name: 'travel',
  model,
  tools: [trains, bookTrain, bookHotel, askTraveller],
  confirm: 'pause',
  store,
})
await agent.run(wish)

// Later, after a reload or in another tab:
const [run] = await agent.pendingRuns()
const [question] = run.pending
const answer = await confirmDialog()(agent.approvalRequest(question))
await agent.resume(run.state, { [question.callId]: answer })`

/** A run that waits for a person, longer than the page lives. */
export const pauseStory: Story = {
  id: 'pause',
  name: 'Pause',
  title: 'A run that waits until you are back',
  lead: 'A script plays a travel agent. Its run pauses on two bookings and one question to you, and is kept in this browser: reload the page, open it in a second tab, close the browser. Whatever you have answered is never asked and never done again.',
  open: (page, leaving) => {
    const store = indexedDBRunStore('offstage-demo-runs')
    const agent = makeAgent(store, leaving)
    const papers = tripPapers()
    const status = statusLine('')
    let trip: Trip | undefined
    const controls = tripControls({
      start: () => void desk.start(),
      answerAll: () => void desk.answer(trip?.questions ?? []),
      startOver: () => void desk.startOver(),
    })
    const conversation = tripView(emptyState(`You will ask: “${wish}”`), {
      answer: (question) => void desk.answer([question]),
      goOn: () => void desk.goOn(),
    })
    const view: DeskView = {
      show: (next, working) => {
        trip = next
        controls.update(trip, working)
        conversation.show(trip)
        papers.update(trip)
      },
      say: (text) => {
        status.textContent = text
      },
    }
    const desk = new TripDesk({ agent, store, view, leaving })
    page.append(
      panel('The trip', controls.element, status, conversation.element),
      columns(panel('What is stored', papers.stored), panel('What is booked', papers.booked)),
      ...theCode(),
    )
    void desk.look()
  },
}

function makeAgent(store: RunStore, leaving: AbortSignal): Agent {
  const trains = new WorkerToolset<typeof tools>(
    () => new Worker(new URL('./trains.worker.ts', import.meta.url), { type: 'module' }),
  )
  const agent = new Agent({
    name: 'travel',
    model: travelAgent,
    tools: [trains, bookTrain, bookHotel, askTraveller],
    confirm: 'pause',
    store,
  })
  leaving.addEventListener('abort', () => void agent.close())
  return agent
}

function theCode(): HTMLElement[] {
  return [
    columns(
      panel('The tools that wait', codeView(toolsSource, 'trip-tools.ts')),
      panel('On the page', codeView(pageCode, 'The agent')),
    ),
    panel('The script', codeView(scriptSource, 'script.ts')),
  ]
}
