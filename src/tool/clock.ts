/** The time now in milliseconds since the epoch, with fractions, comparable between a page and its workers. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}
