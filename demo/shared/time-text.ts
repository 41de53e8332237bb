/** Now, on the clock of the library's events: milliseconds since the epoch, with fractions. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}

/** A duration to read, with more digits the shorter it is. */
export function timeText(ms: number): string {
  const digits = ms < 10 ? 1 : 0
  return `${ms.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ms`
}

/** A whole number with its thousands apart. */
export function countText(count: number): string {
  return count.toLocaleString('en')
}
