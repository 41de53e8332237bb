import { strictest } from '../tool/option-rules.ts'
import { holdsOthersWords } from '../tool/others-words.ts'
import type { ToolDefinition, ToolLabels } from '../tool/tool-definition.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import { rootOf } from '../toolset/listed-tool.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { isFenced } from './external-content.ts'
import { theParking } from './parking.ts'
import type { EndedCall } from './prepare-call.ts'
import { record } from './record.ts'

/** The one result of a call. A text that is too long for a model is kept elsewhere, and the result has its ends. */
export function finished(given: EndedCall, scope: ExecutionScope): MaybePromise<ToolResult> {
  const ended = holdsOthersWords(given.settlement.response) ? asExternal(given, scope) : given
  const maxChars = limitOf(ended.call, scope)
  if (!mustBeCut(ended, scope, maxChars)) return record(ended, scope)
  const cutting = async () => {
    const { cutResult } = await theParking()
    return cutResult(ended, labelsOf(ended.call, scope), scope, maxChars)
  }
  return cutting()
    .catch(() => withoutEnd(ended, maxChars))
    .then((cut) => record(cut, scope))
}

function asExternal(ended: EndedCall, scope: ExecutionScope): EndedCall {
  const labels = labelsOf(ended.call, scope)
  return labels === undefined
    ? ended
    : { ...ended, call: { ...ended.call, labels: { ...labels, externalContent: true } } }
}

// What cuts it properly could not be fetched. The call has its result all the same.
function withoutEnd(ended: EndedCall, maxChars: number): EndedCall {
  const { response } = ended.settlement
  const text = `${response.text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
  return { ...ended, settlement: { ...ended.settlement, response: { ...response, text, status: 'partial' } } }
}

function definitionOf(
  { listed, name }: EndedCall['call'],
  { tools }: ExecutionScope,
): ToolDefinition | undefined {
  return (listed ?? tools.get(name))?.definition
}

/** The tool's own, else that of all. */
function limitOf(call: EndedCall['call'], scope: ExecutionScope): number {
  return definitionOf(call, scope)?.maxResultChars ?? scope.maxResultChars
}

function labelsOf(call: EndedCall['call'], scope: ExecutionScope): ToolLabels | undefined {
  const declared = definitionOf(call, scope)?.labels
  return call.labels ?? (declared && strictest(declared))
}

function mustBeCut(
  { settlement, call }: EndedCall,
  { alwaysPermitted }: ExecutionScope,
  maxChars: number,
): boolean {
  const { response } = settlement
  if (response.text.length <= maxChars) return false
  // What an agent ends with is read by nobody but the app. What comes out of another agent's gate was cut there.
  const isAnswer =
    alwaysPermitted !== undefined && call.listed !== undefined && rootOf(call.listed) === alwaysPermitted
  return !isAnswer && !isFenced(response)
}
