import type { ListedTool } from 'offstage'
import { element } from '../shared/element.ts'

/** A list of tools to pick one from. */
export interface ToolPicker {
  readonly element: HTMLElement
  /** Fills the list, grouped by where the tools run, and picks the first one. */
  offer(groups: Readonly<Record<string, readonly ListedTool[]>>): void
}

/** Makes an empty picker; `picked` is told each choice. */
export function toolPicker(picked: (tool: ListedTool) => void): ToolPicker {
  const select = element('select', { id: 'console-tool' })
  const tools = new Map<string, ListedTool>()
  const tell = () => {
    const tool = tools.get(select.value)
    if (tool !== undefined) picked(tool)
  }
  select.addEventListener('change', tell)
  const offer = (groups: Readonly<Record<string, readonly ListedTool[]>>) => {
    tools.clear()
    select.replaceChildren()
    for (const [label, listed] of Object.entries(groups)) {
      const group = element('optgroup', { label })
      for (const tool of listed) {
        tools.set(tool.definition.name, tool)
        group.append(element('option', {}, tool.definition.name))
      }
      select.append(group)
    }
    tell()
  }
  return { element: select, offer }
}
