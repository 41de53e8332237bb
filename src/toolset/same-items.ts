/** Whether two lists hold the same items in the same order. */
export function sameItems<T>(one: readonly T[], other: readonly T[]): boolean {
  return one === other || (one.length === other.length && one.every((item, index) => item === other[index]))
}
