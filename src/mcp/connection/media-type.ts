/** The type of a body without its parameters, in lower case; empty when it has none. */
export function mediaTypeOf({ headers }: Response): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}
