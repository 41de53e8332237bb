/** What a server demands of who calls it, as its last answers said (RFC 6750 §3, RFC 9728 §5.1). */
export interface Demands {
  /** The scopes that it wants, in the words of its last challenge. */
  scope: string | undefined
  /** Where it says who gives access to it. */
  metadataAddress: string | undefined
  /** Whether it wants scopes that the person has not given. */
  lacksScope: boolean
  /** Whether it refused a token that was just renewed: renewing it again is of no use. */
  refusesRenewed: boolean
}

/** Those of a server that was not asked yet. */
export function noDemands(): Demands {
  return { scope: undefined, metadataAddress: undefined, lacksScope: false, refusesRenewed: false }
}

/** Takes the demands out of an answer that refuses. */
export function readDemands({ status, headers }: Response, demands: Demands): void {
  if (status !== 401 && status !== 403) return
  const challenge = headers.get('www-authenticate') ?? ''
  const lacksScope = field(challenge, 'error') === 'insufficient_scope'
  if (status === 403 && !lacksScope) return
  demands.scope = field(challenge, 'scope') ?? demands.scope
  demands.metadataAddress = field(challenge, 'resource_metadata') ?? demands.metadataAddress
  if (lacksScope) demands.lacksScope = true
}

function field(challenge: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,]+))`, 'i').exec(challenge)
  return (found?.[1] ?? found?.[2]) || undefined
}
