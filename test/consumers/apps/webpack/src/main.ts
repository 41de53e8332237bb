import { WorkerToolset } from 'offstage'
import { makeNotesAgent, question } from './notes/notes-agent'
import { callLines, conversationLines } from './notes/run-lines'
import type { tools } from './tools.worker'

const workerTools = new WorkerToolset<typeof tools>(
  () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
  { size: 1 },
)

workerTools.start().then(
  () => write('tools', 'Tools: ready'),
  (error: Error) => write('tools', `Tools: ${error.message}`),
)
element('ask').addEventListener('click', ask)

async function ask(): Promise<void> {
  write('answer', 'Working…')
  try {
    const result = await makeNotesAgent(workerTools).run(question)
    list('conversation', conversationLines(result))
    list('calls', callLines(result))
    write('answer', result.finalOutput)
  } catch (error) {
    write('answer', String(error))
  }
}

function write(id: string, text: string): void {
  element(id).textContent = text
}

function list(id: string, lines: readonly string[]): void {
  const items = lines.map((line) => {
    const item = document.createElement('li')
    item.textContent = line
    return item
  })
  element(id).replaceChildren(...items)
}

function element(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement
}
