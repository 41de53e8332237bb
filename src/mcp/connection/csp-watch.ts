/** Sees which requests to one address the page's own policy has refused. */
export interface CspWatch {
  /** The directive that refused the last one; undefined when none did. */
  readonly refusedBy: () => string | undefined
  stop(): void
}

/** Watches until it is stopped. Where there is no such policy it sees nothing. */
export function cspWatch(url: URL): CspWatch {
  let directive: string | undefined
  // https://www.w3.org/TR/CSP3/#deprecated-serialize-violation: without the fragment, or the origin alone.
  const addresses = [url.href.split('#')[0], url.origin, `${url.origin}/`]
  const see = ({ blockedURI, disposition, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (disposition === 'enforce' && addresses.includes(blockedURI)) directive = effectiveDirective
  }
  const place = globalThis as Partial<EventTarget>
  const listener = see as (event: Event) => void
  place.addEventListener?.('securitypolicyviolation', listener)
  return {
    refusedBy: () => directive,
    stop: () => place.removeEventListener?.('securitypolicyviolation', listener),
  }
}
