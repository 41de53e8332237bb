import { strictest } from '../tool/option-rules.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import { rootOf } from '../toolset/listed-tool.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { isFenced } from './external-content.ts'
import { theParking } from './parking.ts'
import type { EndedCall } from './prepare-call.ts'
import { record } from './record.ts'

/** The one result of a call. A text that is too long for a model is kept elsewhere, and the result has its ends. */
export function finished(ended: EndedCall, scope: ExecutionScope): MaybePromise<ToolResult> {
  if (!mustBeCut(ended, scope)) return record(ended, scope)
  const cutting = async () => {
    const { cutResult } = await theParking()
    return cutResult(ended, labelsOf(ended.call, scope), scope)
  }
  return cutting()
    .catch(() => withoutEnd(ended, scope))
    .then((cut) => record(cut, scope))
}

// What cuts it properly could not be fetched. The call has its result all the same.
function withoutEnd(ended: EndedCall, { maxResultChars }: ExecutionScope): EndedCall {
  const { response } = ended.settlement
  const text = `${response.text.slice(0, maxResultChars - 1)}…`
  return { ...ended, settlement: { ...ended.settlement, response: { ...response, text, status: 'partial' } } }
}

function labelsOf(
  { labels, listed, name }: EndedCall['call'],
  { tools }: ExecutionScope,
): ToolLabels | undefined {
  const declared = (listed ?? tools.get(name))?.definition.labels
  return labels ?? (declared && strictest(declared))
}

function mustBeCut(
  { settlement, call }: EndedCall,
  { maxResultChars, alwaysPermitted }: ExecutionScope,
): boolean {
  const { response } = settlement
  if (response.text.length <= maxResultChars) return false
  // What an agent ends with is read by nobody but the app. What comes out of another agent's gate was cut there.
  const isAnswer =
    alwaysPermitted !== undefined && call.listed !== undefined && rootOf(call.listed) === alwaysPermitted
  return !isAnswer && !isFenced(response)
}
