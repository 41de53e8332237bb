/** Every sentence of the editor of the confirmation dialog, and of the form for the fields that the person fills in. */
export interface EditorTexts {
  /** Label of the choice between form and JSON. */
  readonly mode: string
  readonly form: string
  readonly json: string
  /** The choice of the form or of JSON cannot be followed before this is done. */
  readonly readableFirst: string
  /** Gives up all changes and the editor. */
  readonly cancel: string
  readonly undo: string
  readonly undoAll: string
  readonly required: string
  readonly optional: string
  /** Marks a field that differs from what was proposed. */
  readonly changed: string
  /** Stands before the value that was proposed. */
  readonly proposed: string
  /** Stands before the value that stands there now. */
  readonly now: string
  /** Stands for the value of a field that is not sent. */
  readonly leftOut: string
  /** Stands for the value of a field that cannot be read. */
  readonly unreadable: string
  /** Stands before a text whose field does not show all that is in it. */
  readonly letterForLetter: string
  /** A choice without a value: the field is not sent. */
  readonly notSet: string
  /** One item of a list, counted from 1. */
  item(index: number): string
  /** Stands after an item that holds nothing. */
  readonly empty: string
  readonly addItem: string
  removeItem(index: number): string
  /** Adds an object that is not there. */
  readonly addGroup: string
  readonly removeGroup: string
  readonly notNumber: string
  readonly inexactNumber: string
  /** Stands before the browser's own words for why a text is not JSON. */
  readonly notJson: string
  readonly notObject: string
  /** Heading of all that is wrong. */
  readonly problems: string
  /** Stands for the name of a field when the whole input is wrong. */
  readonly wholeInput: string
  /** Why there can be no yes now: */
  readonly checking: string
  wrong(problems: number): string
  readonly cannotRead: string
  readonly fillIn: string
  readonly notChecked: string
  /** Stands before the words of the failure. */
  readonly checkFailed: string
  readonly checkAgain: string
}

/** The English texts of the editor. */
export const editorTextsEn: EditorTexts = {
  mode: 'Write the input',
  form: 'In a form',
  json: 'As JSON',
  readableFirst: 'First correct what cannot be read.',
  cancel: 'Cancel editing',
  undo: 'Undo',
  undoAll: 'Undo all',
  required: 'required',
  optional: 'optional',
  changed: 'Changed',
  proposed: 'Proposed',
  now: 'Now',
  leftOut: 'left out',
  unreadable: 'cannot be read',
  letterForLetter: 'Letter for letter',
  notSet: 'not set',
  item: (index) => `Item ${index}`,
  empty: 'empty',
  addItem: 'Add an item',
  removeItem: (index) => `Remove item ${index}`,
  addGroup: 'Add',
  removeGroup: 'Remove',
  notNumber: 'This is not a number. Write it like 12 or 0.5.',
  inexactNumber: 'This number has more digits than can be kept.',
  notJson: 'This is not JSON:',
  notObject: 'The input must be an object: { … }.',
  problems: 'To be corrected',
  wholeInput: 'The whole input',
  checking: 'Checking the input …',
  wrong: (problems) =>
    problems === 1 ? 'The input has a problem.' : `The input has ${problems.toLocaleString('en')} problems.`,
  cannotRead: 'The input cannot be read yet.',
  fillIn: 'Fill in the required fields first.',
  checkFailed: 'The input could not be checked:',
  notChecked: 'The input was not checked.',
  checkAgain: 'Check again',
}
