import type { MCPTool, PinState, SetAside } from 'offstage/mcp'
import { codeView, jsonText } from '../shared/code-view.ts'
import { button, element } from '../shared/element.ts'

/** The tools of a server, each with what a person should know of it. */
export function toolRows(tools: readonly MCPTool[], call: (tool: MCPTool) => void): HTMLElement {
  return element('ul', { class: 'mcp-tools' }, ...tools.map((tool) => toolRow(tool, call)))
}

/** The tools of a server that cannot be used, and why. */
export function setAsideRows(setAside: readonly SetAside[]): HTMLElement {
  const rows = setAside.map(({ names, reason }) =>
    element(
      'li',
      { class: 'mcp-tool' },
      element(
        'p',
        { class: 'mcp-tool-head' },
        element('code', {}, names.join(', ') || 'without a name'),
        element('span', { class: 'badge' }, 'set aside'),
      ),
      element('p', { class: 'description' }, reason),
    ),
  )
  return element('ul', { class: 'mcp-tools' }, ...rows)
}

function toolRow(tool: MCPTool, call: (tool: MCPTool) => void): HTMLElement {
  const { name, originalName, definition, flags, pin, isAccepted } = tool
  const isChanged = pin?.state === 'drifted'
  const warnings = flags.map(({ text }) => element('li', {}, text))
  if (isChanged) warnings.unshift(element('li', {}, changedWords))
  return element(
    'li',
    { class: isChanged ? 'mcp-tool drifted' : 'mcp-tool', 'data-tool': originalName },
    element(
      'p',
      { class: 'mcp-tool-head' },
      element('code', {}, name),
      ...pinBadge(pin),
      ...(isAccepted || isChanged ? [] : [element('span', { class: 'badge caution' }, 'not accepted yet')]),
      ...(flags.length === 0 ? [] : [element('span', { class: 'badge caution' }, 'flagged')]),
    ),
    element('p', { class: 'description' }, definition.description),
    ...(warnings.length === 0 ? [] : [element('ul', { class: 'mcp-flags' }, ...warnings)]),
    element(
      'details',
      {},
      element('summary', {}, 'Parameters'),
      codeView(jsonText(definition.inputSchema), `What a model reads of the input of ${name}`),
    ),
    button('Call', () => call(tool), { class: 'chip', 'aria-label': `Call ${name}` }),
  )
}

const changedWords =
  'It is not what it was when it was pinned, so no call of it gets through. Call it to see what has changed, and to decide.'

function pinBadge(pin: PinState | undefined): HTMLElement[] {
  switch (pin?.state) {
    case undefined:
      return []
    case 'new':
      return [element('span', { class: 'badge fresh' }, 'new, pinned now')]
    case 'pinned':
      return [element('span', { class: 'badge good' }, pin.trust === 'person' ? 'pinned by you' : 'pinned')]
    case 'drifted':
      return [element('span', { class: 'badge' }, 'changed, blocked')]
  }
}
