import { ToolExecutor, ToolRegistry } from 'offstage'
import { codeView, jsonText } from '../shared/code-view.ts'
import { button, element, workButton } from '../shared/element.ts'
import { columns, emptyState, panel, row, statusLine } from '../shared/panel.ts'
import { resultView } from '../shared/result-view.ts'
import type { Story } from '../shared/story.ts'
import { splitBill } from './split-bill.ts'
import source from './split-bill.ts?raw'

/** What a model may send, good and bad. */
const examples: Readonly<Record<string, string>> = {
  'A good input': '{ "amount": 84.5, "people": 4, "tip": "generous" }',
  'The tip left out': '{ "amount": 84.5, "people": 4 }',
  'An unknown key': '{ "amount": 84.5, "people": 4, "currency": "EUR" }',
  'Nobody pays': '{ "amount": 84.5, "people": 0 }',
  'A word for a number': '{ "amount": "a lot", "people": 4 }',
  'Cut-off JSON': '{ "amount": 84.5, "peop',
}

/** A tool, its schema, and calls of every kind. */
export const toolStory: Story = {
  id: 'tool',
  name: 'Tool',
  title: 'A tool and its schema',
  lead: 'This is a whole tool: a schema and a function. The model sees the JSON Schema that comes from it, and whatever the model sends back passes the gate before the function runs.',
  open: (page, leaving) => {
    const registry = new ToolRegistry()
    registry.register(splitBill)
    const executor = new ToolExecutor({ tools: registry.toolset() })
    const [seen] = registry.toOpenAISchema()
    page.append(
      columns(
        panel('The tool', codeView(source, 'split-bill.ts')),
        panel('What the model sees', codeView(jsonText(seen?.function), 'Name, description and parameters')),
      ),
      ...tryIt((input) => executor.execute({ name: 'split_bill', input }, { signal: leaving })),
    )
  },
}

function tryIt(run: (input: string) => ReturnType<ToolExecutor['execute']>): HTMLElement[] {
  const input = element('textarea', { id: 'tool-input', rows: '3', spellcheck: 'false', autocomplete: 'off' })
  input.value = examples['A good input'] ?? ''
  const status = statusLine('')
  const output = element('div', {}, emptyState('Nothing was called yet.'))
  const call = async () => {
    const result = await run(input.value)
    status.textContent = `Ended with the outcome ${result.outcome}.`
    output.replaceChildren(resultView(result))
  }
  const chips = Object.entries(examples).map(([label, text]) => {
    const choose = () => {
      input.value = text
      void call()
    }
    return button(label, choose, { class: 'chip' })
  })
  return [
    panel(
      'Call it',
      element(
        'div',
        { class: 'field' },
        element('label', { for: 'tool-input' }, 'Input, as a model would write it'),
        input,
      ),
      row(workButton('Run', call, { class: 'primary' }), status),
      element('p', { class: 'hint' }, 'Or try one of these:'),
      row(...chips),
    ),
    panel('The result', output),
  ]
}
