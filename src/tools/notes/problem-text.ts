import { shorten } from '../../tool/error-data.ts'
import type { NoteProblem } from './note-error.ts'
import { importTexts, type NotesTexts, pathTexts, type RefusedPath } from './notes-texts.ts'

const maxShownPath = 60

/** The sentence about a problem. */
export function problemText(problem: NoteProblem, texts: NotesTexts): string {
  switch (problem.code) {
    case 'note-path': {
      const { path, reason, found } = problem
      const say = texts[pathTexts[reason]] as (refused: RefusedPath) => string
      return say({ path: visible(shorten(path, maxShownPath)), found: visible(shorten(found, maxShownPath)) })
    }
    case 'note-content':
      return problem.length === 0 ? texts.noContent : texts.longContent(problem.length, problem.limit)
    case 'note-query':
      return texts.noQuery(problem.limit)
    case 'note-full':
      return texts.full(problem.path, problem.limit)
    case 'note-exists':
      return texts.exists(problem.path)
    case 'note-import':
      return texts[importTexts[problem.reason]] as string
  }
}

/** A text with names in place of the characters that would garble the sentence that quotes it. */
function visible(text: string): string {
  return text.replace(/(?![\u200C\u200D])[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  })
}
