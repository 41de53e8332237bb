import type { ToolOrigin } from '../tool/tool-origin.ts'
import { refusal } from '../toolset/tool-permissions.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { failure } from './settle.ts'
import type { Settlement } from './tool-result.ts'

/** The ending of a call that the permissions refuse, or undefined when it may go on. */
export function permit(name: string, origin: ToolOrigin, scope: ExecutionScope): Settlement | undefined {
  const { permissions, texts } = scope
  const reason = refusal(permissions, name, origin, texts)
  return reason === undefined ? undefined : failure('not-allowed', texts.notAllowed(name, reason))
}
