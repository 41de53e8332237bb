import type { CleanText } from './clean-text.ts'
import type { FlagList } from './tool-flag.ts'

/** Tells a person what was done to a text. */
export function noteText(clean: CleanText, field: string, flags: FlagList): void {
  const { hidden, hadComment, hadChatMarkup, hadBlankRun, cut, whole } = clean
  if (hidden !== '') {
    flags.add(
      'hidden-characters',
      field,
      `The ${field} held characters that cannot be seen (${hidden}); a model does not get them.`,
    )
  }
  if (hadComment) {
    flags.add('html-comment', field, `The ${field} held an HTML comment; a model does not get it.`)
  }
  if (hadChatMarkup) {
    flags.add(
      'chat-markup',
      field,
      `The ${field} holds marks that a model may take for the words of somebody else; they were broken up.`,
    )
  }
  if (hadBlankRun) {
    flags.add(
      'blank-run',
      field,
      `The ${field} pushed a part of itself out of sight with blank lines or spaces.`,
    )
  }
  if (cut > 0) {
    flags.add(
      'over-long',
      field,
      `The ${field} has ${whole.length} characters; a model only gets its beginning.`,
    )
  }
}
