import type { ToolOrigin } from '../tool/tool-origin.ts'
import { refusal } from '../toolset/tool-permissions.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { failure } from './settle.ts'
import type { Settlement } from './tool-result.ts'

/** The ending of a call that the permissions refuse, or undefined when it may go on. */
export function permit(name: string, origin: ToolOrigin, scope: ExecutionScope): Settlement | undefined {
  const { texts } = scope
  const refused = refusal(scope.permissions, name, origin)
  if (refused === undefined) return undefined
  const reasons = {
    'deny-name': () => texts.deniedByName(name),
    'deny-origin': () => texts.deniedByOrigin(origin),
    'not-allowed': () => texts.notOnAllowList(name, origin),
  }
  return failure('not-allowed', 'not-allowed', texts.notAllowed(name, reasons[refused]()))
}
