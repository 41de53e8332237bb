let prefix: string | undefined
let count = 0

/**
 * A new id, unique over all pages and workers: a random part made once for each, and a count. Not a
 * secret. (`crypto.randomUUID` is missing on insecure pages; `getRandomValues` is not.)
 */
export function randomId(kind: string): string {
  // Made at the first use: importing the package must not touch anything.
  prefix ??= crypto.getRandomValues(new Uint32Array(3)).join('')
  count += 1
  return `${kind}_${prefix}_${count.toString(36)}`
}
