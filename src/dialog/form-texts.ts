import type { DialogTexts } from './dialog-texts.ts'
import { type EditorTexts, editorTextsEn } from './editor-texts.ts'

/** All sentences that a form needs: its own, and those of the literal texts in it. */
export type FormTexts = DialogTexts & EditorTexts

/** The texts of the editor: the English ones, where the dialog's texts do not replace them. */
export function formTexts(texts: DialogTexts): FormTexts {
  return { ...texts, ...editorTextsEn, ...texts.editor }
}
