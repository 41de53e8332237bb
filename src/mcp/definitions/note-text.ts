import type { CleanText } from './clean-text.ts'
import type { DefinitionTexts } from './definition-texts.ts'
import type { FlagList } from './tool-flag.ts'

/** Tells a person what was done to a text. */
export function noteText(clean: CleanText, field: string, flags: FlagList, texts: DefinitionTexts): void {
  const { hidden, hadComment, hadChatMarkup, hadBlankRun, cut, chars } = clean
  if (hidden !== '') flags.add('hidden-characters', field, texts.hiddenCharacters(field, hidden))
  if (hadComment) flags.add('html-comment', field, texts.htmlComment(field))
  if (hadChatMarkup) flags.add('chat-markup', field, texts.chatMarkup(field))
  if (hadBlankRun) flags.add('blank-run', field, texts.blankRun(field))
  if (cut > 0) flags.add('over-long', field, texts.overLong(field, chars))
}
