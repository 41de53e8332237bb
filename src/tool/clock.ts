/** The time now in milliseconds since the epoch, with fractions, comparable between a page and its workers. */
export function now(): number {
  // Asked for at the first use: importing the package must not touch anything.
  origin ??= performance.timeOrigin
  return origin + performance.now()
}

let origin: number | undefined
