import type { Preflight } from '../tool/call-outcome.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { DefinitionLabels, ToolLabels } from '../tool/tool-definition.ts'
import type { ListedTool } from './listed-tool.ts'
import type { SourceCallOptions } from './tool-source.ts'

/** A tool as a wrapper shows it. */
export interface MappedTool {
  /** Made of the inner one with `relist`, or that itself. */
  readonly tool: ListedTool
  /** The tool as the wrapped source lists it. */
  readonly inner: ListedTool
  /** Whether a person must be asked about this very input, whatever the tool itself says. Must not throw. */
  asks?(input: JsonObject, context: StepContext): Promise<boolean>
}

/** What the wrapped source is told with a call: the outermost definition, which is the one that counts. */
export function withDefinition(given: SourceCallOptions, { tool }: MappedTool): SourceCallOptions {
  return given.definition === undefined ? { ...given, definition: tool.definition } : given
}

type Ready = Extract<Preflight, { kind: 'ready' }>

/** What the wrapped source found out about a call, with what the shown definition overrides. */
export function asShown(answer: Ready, route: MappedTool): Ready {
  const { needsApproval } = route.tool.definition
  // Who says that the input decides, where nobody can: when in doubt the person is asked.
  const undecided =
    needsApproval === 'by-input' && route.inner.definition.needsApproval === false && route.asks === undefined
  return {
    ...answer,
    labels: { ...answer.labels, ...changedLabels(route) },
    needsApproval: answer.needsApproval || needsApproval === true || undecided,
  }
}

/** The labels that a wrapper sets to a value of its own. */
function changedLabels({ tool, inner }: MappedTool): Partial<ToolLabels> {
  const { labels } = tool.definition
  const { labels: before } = inner.definition
  if (labels === before) return {}
  const names = Object.keys(labels) as (keyof DefinitionLabels)[]
  const changed = names.filter(
    (name) => labels[name] !== 'by-input' && JSON.stringify(labels[name]) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, labels[name]]))
}
