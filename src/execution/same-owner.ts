/**
 * Whether two registrations have one owner. Owners are `import.meta.url`, and a hot update loads a file anew
 * under its address with another query (Vite: `?t=…`).
 */
export function isSameOwner(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && withoutQuery(one) === withoutQuery(other)
}

function withoutQuery(owner: string): string {
  return owner.replace(/[?#].*$/s, '')
}
