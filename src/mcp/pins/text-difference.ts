import { hiddenNames } from '../definitions/hidden-characters.ts'
import { shortestEdit } from './shortest-edit.ts'

/** A part of two texts: in both, or in one of them only. */
export interface TextSegment {
  readonly kind: 'same' | 'removed' | 'added'
  /** As it is: show it so that hidden characters are seen. */
  readonly text: string
  /** The names of the hidden characters in it, such as `U+200B ×3`; absent for none. */
  readonly hidden?: string
}

const maxWords = 4000
const maxWordEdits = 600
const maxCharacters = 400
const maxCharacterEdits = 120

type Part = Pick<TextSegment, 'kind' | 'text'>

/**
 * What changed between two texts: by words, and within changed words by characters, what was removed before
 * what was added. The segments that are the same or removed are the whole old text; those that are the same
 * or added, the new one. Where texts are long and have little in common, one segment each says so: the time
 * it takes is bounded.
 */
export function textDifference(before: string, after: string): readonly TextSegment[] {
  const parts = betweenEnds(before, after, (one, other) =>
    byUnits(one, other, { split: words, maxUnits: maxWords, maxEdits: maxWordEdits }),
  )
  return inOrder(parts)
    .flatMap((part, index, all) => {
      const next = all[index + 1]
      if (part.kind === 'removed' && next?.kind === 'added') return byCharacters(part.text, next.text)
      return part.kind === 'added' && all[index - 1]?.kind === 'removed' ? [] : [part]
    })
    .reduce<Part[]>(join, [])
    .map(({ kind, text }) => {
      const hidden = hiddenNames(text)
      return hidden === '' ? { kind, text } : { kind, text, hidden }
    })
}

/** What both texts begin and end with is the same; `compare` tells what lies between. */
function betweenEnds(
  before: string,
  after: string,
  compare: (before: string, after: string) => readonly Part[],
): readonly Part[] {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start += 1
  while (start > 0 && (splitsPair(before, start) || splitsPair(after, start))) start -= 1
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  while (end > 0 && (splitsPair(before, before.length - end) || splitsPair(after, after.length - end)))
    end -= 1
  return [
    { kind: 'same' as const, text: before.slice(0, start) },
    ...compare(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    { kind: 'same' as const, text: before.slice(before.length - end) },
  ].filter(({ text }) => text !== '')
}

function splitsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1))
}

interface Units {
  split(text: string): readonly string[]
  readonly maxUnits: number
  readonly maxEdits: number
}

function byUnits(before: string, after: string, { split, maxUnits, maxEdits }: Units): readonly Part[] {
  const [old, now] = [split(before), split(after)]
  const runs = old.length + now.length > maxUnits ? undefined : shortestEdit(old, now, maxEdits)
  if (runs === undefined) return replaced(before, after)
  return runs.map(({ kind, from, to }) => ({
    kind,
    text: (kind === 'added' ? now : old).slice(from, to).join(''),
  }))
}

function replaced(before: string, after: string): readonly Part[] {
  const both: readonly Part[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return both.filter(({ text }) => text !== '')
}

function words(text: string): readonly string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[\s\S]/gu) ?? []
}

// Letters that words happen to share would make a puzzle of two different words.
function byCharacters(before: string, after: string): readonly Part[] {
  const parts = betweenEnds(before, after, (one, other) =>
    byUnits(one, other, { split: Array.from<string>, maxUnits: maxCharacters, maxEdits: maxCharacterEdits }),
  )
  const same = parts.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0)
  const isPuzzle = parts.length > 5 && 2 * same < Math.max(before.length, after.length)
  return isPuzzle ? replaced(before, after) : inOrder(parts)
}

/** Between two segments that are the same, one that was removed and one that was added, in this order. */
function inOrder(parts: readonly Part[]): readonly Part[] {
  const ordered: Part[] = []
  let [removed, added] = ['', '']
  const flush = () => {
    ordered.push(...replaced(removed, added))
    removed = ''
    added = ''
  }
  for (const [index, part] of parts.entries()) {
    // A space that two changes happen to have between them is no common ground.
    const isGap = removed + added !== '' && /^\s+$/.test(part.text) && index < parts.length - 1
    if (part.kind === 'same' && !isGap) {
      flush()
      ordered.push(part)
      continue
    }
    if (part.kind !== 'added') removed += part.text
    if (part.kind !== 'removed') added += part.text
  }
  flush()
  return ordered
}

function join(all: Part[], part: Part): Part[] {
  const last = all.at(-1)
  if (last?.kind === part.kind) all[all.length - 1] = { kind: part.kind, text: last.text + part.text }
  else all.push(part)
  return all
}
