import { type NoteProblem, type NotesTexts, notesTextsEn, notesTextsZh } from 'offstage/tools'
import { describe, expect, it } from 'vitest'
import { problemText } from '../../../../src/tools/notes/problem-text.ts'

const path = 'work/ideas.md'

/** One of each problem, and of each reason. */
const problems: readonly NoteProblem[] = [
  ...(['length', 'form', 'character', 'name', 'protected'] as const).map((reason) => {
    return { code: 'note-path' as const, path, reason, found: 'found' }
  }),
  { code: 'note-path', path, reason: 'length', found: '' },
  ...[0, 60_000].map((length) => ({ code: 'note-content' as const, length, limit: 50_000 })),
  { code: 'note-query', limit: 200 },
  { code: 'note-full', path, limit: 2_000_000 },
  { code: 'note-exists', path },
  ...(['zip', 'size', 'type', 'text'] as const).map((reason) => ({ code: 'note-import' as const, reason })),
]

/** Every sentence, with something to put into it. */
function sentences(texts: NotesTexts): string[] {
  const part = { path, from: 0, to: 8_000, total: 9_000 }
  return [
    ...Object.values(texts).filter((text) => typeof text === 'string'),
    ...problems.map((problem) => problemText(problem, texts)),
    ...[part, { ...part, to: 9_000 }].map((each) => texts.part(each)),
    ...['', 'work'].map((folder) => texts.noNotes(folder)),
    ...['insecure-context', 'refused', 'unsupported'].map((code) => texts.memoryOnly(code)),
    ...[texts.missing(path), texts.damaged(3), texts.appended(path, 12), texts.listLine(path, 34)],
    ...[texts.noHits('words'), texts.hitLine(path, 5, 'line'), texts.more(40, 50)],
  ]
}

describe.each([
  ['English', notesTextsEn],
  ['Chinese', notesTextsZh],
])('the %s texts', (_language, texts) => {
  it('are whole sentences without a gap', () => {
    for (const sentence of sentences(texts)) {
      expect(sentence).not.toMatch(/undefined|NaN|\[object|\$\{|""|“”/)
      expect(sentence).not.toBe('')
    }
  })

  it('say of each problem what to do', () => {
    for (const problem of problems) {
      if (problem.code === 'note-exists' || problem.code === 'note-import') continue
      expect(problemText(problem, texts)).toMatch(/Give|Use|Leave|Append|Go on|请/)
    }
  })

  it('show what cannot be seen in a path by its code, and no more than 60 characters', () => {
    const refused = {
      code: 'note-path',
      reason: 'character',
      path: `a\u202e\n${'x'.repeat(500)}`,
      found: '\u202e',
    }
    const text = problemText(refused as NoteProblem, texts)
    expect(text).toMatch(/aU\+202EU\+000Ax+….*U\+202E/)
    expect(text.length).toBeLessThan(300)
  })
})

it('the two languages have the same sentences with the same numbers, and the Chinese ones are Chinese', () => {
  expect(Object.keys(notesTextsZh).sort()).toEqual(Object.keys(notesTextsEn).sort())
  const numbers = (sentence: string) => (sentence.match(/\d[\d,]*/g) ?? []).sort()
  const chinese = sentences(notesTextsZh)
  for (const [index, english] of sentences(notesTextsEn).entries()) {
    expect(numbers(chinese[index] ?? ''), english).toEqual(numbers(english))
    if (/[a-z]{4,} [a-z]{4,}/.test(english)) expect(chinese[index]).toMatch(/[\u4e00-\u9fff]/)
  }
})
