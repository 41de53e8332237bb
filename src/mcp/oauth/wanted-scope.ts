import type { Credentials } from './credentials.ts'
import type { Demands } from './demands.ts'

/** What decides which scopes a person is asked for. */
export interface ScopeFacts {
  /** The app's own `scopes`. */
  readonly scopes: readonly string[] | undefined
  readonly demands: Demands
  readonly credentials: Pick<Credentials, 'tokens'>
}

/**
 * The scopes to ask for, separated by spaces: those that the server demands and those of the app, or else what the
 * server's metadata offer (`offered`). Who is asked for more keeps what was given before.
 */
export async function wantedScope(
  offered: string | null,
  { scopes, demands, credentials }: ScopeFacts,
): Promise<string> {
  const wanted = new Set(split(scopes === undefined ? (demands.scope ?? offered) : demands.scope))
  for (const scope of scopes ?? []) wanted.add(scope)
  if (demands.lacksScope) {
    const granted = (await credentials.tokens())?.scope
    for (const scope of split(granted)) wanted.add(scope)
  }
  return [...wanted].join(' ')
}

function split(scope: unknown): string[] {
  return typeof scope === 'string' ? scope.split(' ').filter((part) => part !== '') : []
}
