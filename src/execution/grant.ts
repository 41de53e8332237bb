import { canonicalJson, copyJson, deepFreeze, type JsonObject } from '../tool/json-value.ts'
import type { ToolOrigin } from '../tool/tool-origin.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { GrantDuration, GrantScope } from './decision.ts'

/** What a person allowed without being asked again. Frozen. */
export interface Grant {
  readonly id: string
  readonly origin: ToolOrigin
  readonly toolName: string
  /** Of the tool that the person said yes to: another one needs a yes of its own. */
  readonly fingerprint: string
  readonly scope: GrantScope
  /** The input that was allowed; only with the scope `input`. */
  readonly input?: JsonObject
  readonly duration: GrantDuration
  /** In milliseconds since the epoch. */
  readonly grantedAt: number
}

/** The tool that a grant is given to or looked for. */
export interface GrantedTool {
  readonly origin: ToolOrigin
  /** The name that the model sees. */
  readonly toolName: string
  readonly fingerprint: string
  /**
   * When this tool took the place of another one of the same name, in milliseconds since the epoch: the other one's
   * grants do not count, whatever their fingerprint.
   */
  readonly replacedAt?: number | undefined
}

/** Under which key the grants of a tool's name are kept. A joined text could be the same for two names. */
export function grantKey({ origin, toolName }: Pick<GrantedTool, 'origin' | 'toolName'>): string {
  return canonicalJson([origin, toolName])
}

/** Whether a grant was given to this very tool, and not to an earlier one of its name. */
export function isGrantedTo(grant: Grant, tool: GrantedTool): boolean {
  const { replacedAt = Number.NEGATIVE_INFINITY } = tool
  return grant.fingerprint === tool.fingerprint && grant.grantedAt > replacedAt
}

/** Whether two grants allow the same, for however long. */
export function allowTheSame(one: Grant, other: Grant): boolean {
  return (
    grantKey(one) === grantKey(other) &&
    one.fingerprint === other.fingerprint &&
    one.scope === other.scope &&
    canonicalJson(one.input ?? {}) === canonicalJson(other.input ?? {})
  )
}

/** The grants in a stored value, under the key where they may be. What is no grant, or is of another key, is left out. */
export function readGrants(value: unknown, key: string): readonly Grant[] {
  if (!Array.isArray(value)) return []
  return value.map(readGrant).filter((grant) => grant !== undefined && grantKey(grant) === key) as Grant[]
}

function readGrant(value: unknown): Grant | undefined {
  if (!isRecord(value)) return undefined
  const { id, origin, toolName, fingerprint, scope, duration, grantedAt } = value
  const names = [id, origin, toolName, fingerprint]
  if (!names.every((name) => typeof name === 'string' && name !== '')) return undefined
  if (typeof grantedAt !== 'number' || !isTime(grantedAt)) return undefined
  if (duration !== 'session' && duration !== 'always') return undefined
  const known = { id, origin, toolName, fingerprint, scope, duration, grantedAt }
  if (scope === 'tool') return Object.freeze(known) as Grant
  const input = scope === 'input' && isRecord(value.input) ? copyJson(value.input).value : undefined
  return input === undefined ? undefined : (deepFreeze({ ...known, input }) as Grant)
}

function isTime(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime())
}
