import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { ToolOrigin } from '../tool/tool-origin.ts'
import { isStringList } from '../tool/value-kinds.ts'

/**
 * Which tools may run at all. Deny wins; then the allow lists narrow. `null` or absent means no list, `[]`
 * means nobody. Names are those that the model sees, and match exactly; to have them checked when you write
 * them: `{ … } satisfies ToolPermissions<ServedName<typeof tools>>`.
 */
export interface ToolPermissions<Name extends string = string> {
  readonly allow?: readonly Name[] | null
  readonly deny?: readonly Name[] | null
  readonly allowOrigins?: readonly string[] | null
  readonly denyOrigins?: readonly string[] | null
  /**
   * With both allow lists set: whether a call must be on one of them (`any`) or on each (`all`).
   * @default 'any'
   */
  readonly match?: 'any' | 'all'
}

const lists = ['allow', 'deny', 'allowOrigins', 'denyOrigins'] as const

/**
 * Throws a {@link ToolRegistrationError} when permissions are not what they look like: a bare string would
 * be read as a list of letters, a misspelt key would protect nothing.
 */
export function checkPermissions(permissions: ToolPermissions | undefined, where: string): void {
  if (permissions === undefined) return
  checkOptions(permissions, [...lists, 'match'], `${where}, permissions`)
  for (const key of lists) {
    const list: unknown = permissions[key]
    if (list === undefined || list === null || isStringList(list)) continue
    throw new ToolRegistrationError(`${where}, permissions.${key}: expected a list of strings.`)
  }
  if (permissions.match !== undefined && permissions.match !== 'any' && permissions.match !== 'all') {
    throw new ToolRegistrationError(`${where}, permissions.match: expected "any" or "all".`)
  }
}

/** Why permissions refuse a tool, in words; undefined when each of them lets it run. */
export function refusal(
  all: readonly ToolPermissions[],
  name: string,
  origin: ToolOrigin,
  texts: ModelTexts,
): string | undefined {
  if (all.length === 0) return undefined
  return all
    .map((permissions) => refusalOf(permissions, name, origin, texts))
    .find((refused) => refused !== undefined)
}

function refusalOf(
  permissions: ToolPermissions,
  name: string,
  origin: ToolOrigin,
  texts: ModelTexts,
): string | undefined {
  const { allow, deny, allowOrigins, denyOrigins, match } = permissions
  if (deny?.includes(name)) return texts.deniedByName(name)
  if (denyOrigins?.includes(origin)) return texts.deniedByOrigin(origin)
  const answers = [allow?.includes(name), allowOrigins?.includes(origin)].filter(
    (answer) => answer !== undefined,
  )
  const allowed = match === 'all' || answers.length === 0 ? answers.every(Boolean) : answers.some(Boolean)
  return allowed ? undefined : texts.notOnAllowList(name, origin)
}
