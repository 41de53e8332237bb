import type { MCPClient, MCPTool } from 'offstage/mcp'
import { element, workButton } from '../shared/element.ts'

/** What asks a person whether they have read the tools of a server. */
export interface AcceptNotice {
  readonly element: HTMLElement
  /** Asks about the tools that are drawn now. */
  update(client: MCPClient): void
}

/** Makes the notice; a press accepts the tools that it was last asked to draw, and no others. */
export function acceptNotice(accept: (shown: readonly MCPTool[]) => Promise<void>): AcceptNotice {
  let shown: readonly MCPTool[] = []
  const words = element('p', {})
  const press = workButton('I have read these', () => accept(shown), { class: 'chip' })
  const notice = element('div', { class: 'mcp-accept', hidden: true }, words, press)
  return {
    element: notice,
    update: ({ tools }) => {
      // One that has changed is decided on where the change is shown: when it is called.
      shown = tools.filter(({ isAccepted, pin }) => !isAccepted && pin?.state !== 'drifted')
      notice.hidden = shown.length === 0
      const [count, are] = shown.length === 1 ? ['1 tool', 'is'] : [`${shown.length} tools`, 'are']
      words.textContent = `${count} ${are} not accepted yet. An agent that reads their words asks before it changes anything. Read the descriptions and parameters below, then say so.`
    },
  }
}
