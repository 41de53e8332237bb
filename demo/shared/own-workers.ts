/** The part of Trusted Types that is used here; TypeScript's own library does not know it yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
}

/**
 * Lets the page start workers from its own origin where its Content-Security-Policy says
 * `require-trusted-types-for 'script'`; does nothing elsewhere. It is the default policy because bundlers
 * find a worker only by the literal `new Worker(new URL(…))`, which leaves no room for a named one.
 */
export function allowOwnWorkers(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (new URL(url, document.baseURI).origin === location.origin) return url
      throw new TypeError(`A script of another origin is not allowed here: ${url}`)
    },
  })
}
