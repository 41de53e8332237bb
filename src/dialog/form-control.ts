import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import type { EditorTexts } from './editor-texts.ts'
import type { ElementAttributes } from './make-element.ts'

/** What stands in a part of the editor: a value, nothing (`undefined`: it is left out), or why it cannot be read. */
export type Reading<Value extends JsonValue = JsonValue> =
  | { readonly value: Value | undefined; readonly problem?: undefined }
  | { readonly problem: string; readonly value?: undefined }

/** Where one value is written. */
export interface FormControl {
  readonly element: HTMLElement
  /** The part of it that has the focus, the label and the messages. */
  readonly target: HTMLElement
  read(): Reading
}

/** What a control is made from. */
export interface FormControlOptions {
  readonly schema: JsonObject
  /** What stands there at first. As long as nobody changes it, exactly this is read. */
  readonly value: JsonValue | undefined
  readonly required: boolean
  readonly texts: EditorTexts
  /** For the target: what ties it to its label and its messages. */
  readonly attributes: ElementAttributes
  /** Called after a change that no `input` event tells. */
  changed(): void
}
