/** Code points as ranges in order, both ends included. */
export type CharacterSet = readonly (readonly [first: number, last: number])[]

const last = 0x10ffff

/** All code points: also for what is not looked at closely. */
export const anyCharacter: CharacterSet = [[0, last]]

const digits: CharacterSet = [[48, 57]]
const wordCharacters: CharacterSet = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]
const spaces: CharacterSet = [
  ...([
    [9, 13],
    [32, 32],
    [160, 160],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
  ] as const),
  ...([
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ] as const),
]

/** What `\d`, `\w`, `\s` and their opposites match. */
export const escapedSets: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', digits],
  ['w', wordCharacters],
  ['s', spaces],
  ['D', allBut(digits)],
  ['W', allBut(wordCharacters)],
  ['S', allBut(spaces)],
])

/** One code point. */
export function onlyCharacter(code: number): CharacterSet {
  return [[code, code]]
}

/** What is in any of the ranges. */
export function inOrder(ranges: CharacterSet): CharacterSet {
  const joined: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = joined.at(-1)
    if (before !== undefined && from <= before[1] + 1) before[1] = Math.max(before[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** What is in none of the ranges. */
export function allBut(ranges: CharacterSet): CharacterSet {
  const rest: [number, number][] = []
  let next = 0
  for (const [from, to] of inOrder(ranges)) {
    if (from > next) rest.push([next, from - 1])
    next = to + 1
  }
  if (next <= last) rest.push([next, last])
  return rest
}

/** Whether some code point is in both. */
export function overlap(one: CharacterSet, other: CharacterSet): boolean {
  let at = 0
  let beside = 0
  while (at < one.length && beside < other.length) {
    const [from, to] = one[at] as CharacterSet[number]
    const [otherFrom, otherTo] = other[beside] as CharacterSet[number]
    if (from <= otherTo && otherFrom <= to) return true
    if (to < otherTo) at += 1
    else beside += 1
  }
  return false
}
