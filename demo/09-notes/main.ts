import { Agent, confirmDialog, WorkerToolset } from 'offstage'
import { CLITool, NoteStore } from 'offstage/tools'
import { paced } from '../05-agent/paced-model.ts'
import { transcript } from '../05-agent/transcript.ts'
import { codeView } from '../shared/code-view.ts'
import { button, element, workButton } from '../shared/element.ts'
import { columns, emptyState, panel, row, statusLine } from '../shared/panel.ts'
import type { Story } from '../shared/story.ts'
import { companionBox } from './companion-box.ts'
import type { tools } from './notes.worker.ts'
import { notesPanel } from './notes-panel.ts'
import { commandQuestion, type Question, questions } from './questions.ts'

const workerCode = `serveTools([new NotesTool()])`

const pageCode = `const notes = new WorkerToolset(() => new Worker(…))
const companion = await connectCompanion(link)
const agent = new Agent({
  model,
  tools: [notes, new CLITool({ companion }), companion.server('files')],
  confirm: confirmDialog(),
})

// The app's own view of the same notes:
const store = new NoteStore()
store.subscribe(async () => draw(await store.list()))`

/** What an agent keeps in the browser, and what it may do outside of it. */
export const notesStory: Story = {
  id: 'notes',
  name: 'Notes',
  title: 'Notes in the browser, commands on your machine',
  lead: 'The agent’s notes are files of this page’s origin: they outlive the page and go to no server. Only adding to one asks you. Commands go through a companion that you start yourself, and each one shows exactly what would run.',
  open: (page, leaving) => {
    const workerNotes = new WorkerToolset<typeof tools>(
      () => new Worker(new URL('./notes.worker.ts', import.meta.url), { type: 'module' }),
    )
    const store = new NoteStore()
    leaving.addEventListener('abort', () => {
      void workerNotes.close()
      store.close()
    })
    const conversation = transcript(emptyState('Ask, and the conversation is here.'))
    const status = statusLine('The agent waits.')
    let stopping = new AbortController()
    let isBusy = false
    const ask = async ({ text, script }: Question) => {
      if (isBusy) return
      isBusy = true
      stopping = new AbortController()
      status.textContent = 'The agent works.'
      conversation.ask(text)
      // The command line may be far below.
      conversation.element.scrollIntoView({ block: 'nearest' })
      const agent = new Agent({
        model: paced(script()),
        tools: [workerNotes, new CLITool({ companion: () => box.companion() })],
        confirm: confirmDialog(),
      })
      try {
        const signal = AbortSignal.any([leaving, stopping.signal])
        for await (const event of agent.stream(text, { signal })) conversation.add(event)
        status.textContent = 'The agent waits.'
      } catch (error) {
        status.textContent = error instanceof Error ? error.message : String(error)
      } finally {
        isBusy = false
      }
    }
    const box = companionBox((command) => {
      if (command !== '') void ask(commandQuestion(command))
    }, leaving)
    const asking = questions.map((question, index) =>
      workButton(question.label, () => ask(question), index === 0 ? { class: 'primary' } : {}),
    )
    const stop = button('Stop', () => stopping.abort())
    page.append(
      columns(
        panel('The agent', row(...asking, stop), status, conversation.element),
        element(
          'div',
          { class: 'notes-side' },
          panel('Its notes', notesPanel(store, leaving)),
          panel('The command line', box.element),
        ),
      ),
      panel('The code', codeView(workerCode, 'notes.worker.ts'), codeView(pageCode, 'The page')),
    )
  },
}
