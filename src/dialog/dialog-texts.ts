import { type AskingTexts, askingTextsEn } from './asking-texts.ts'
import type { ChangeTexts } from './change-texts.ts'
import type { EditorTexts } from './editor-texts.ts'
import type { ElicitTexts } from './elicit-texts.ts'
import type { PolicyViewTexts } from './policy-view-texts.ts'

/**
 * Every sentence of the confirmation dialog. Replace any of them with the `texts` option; complete sets
 * ship as {@link dialogTextsEn} and `dialogTextsZh`.
 */
export interface DialogTexts extends AskingTexts {
  /** The language of the texts, as in HTML's `lang`. */
  readonly lang: string
  readonly title: string
  /** Where a request stands when several wait; `index` counts from 1. */
  position(index: number, total: number): string
  /** Heading of the list of all that wait. */
  readonly waiting: string
  /** Stands before a request of that list, for those who hear it: it is shown when it is picked. */
  readonly pick: string
  /** Stands in that list at a request that no longer waits. */
  readonly ended: string
  /** What the origin of the tool is called. */
  readonly origin: string
  readonly originApp: string
  readonly originBuiltin: string
  /** Stands before the name of an MCP server. */
  readonly originServer: string
  /** Stands before the address of a page that offers the tool. */
  readonly originPage: string
  /** In front of what the app calls them. */
  readonly originForeign: string
  /** Heading of the reasons. */
  readonly reasons: string
  /** Heading of the fields that the person fills in. */
  readonly userFields: string
  /** Heading of the input. */
  readonly input: string
  readonly noInput: string
  /** Label of the scrolling part that holds what the person decides about. */
  readonly details: string
  /** Opens a folded text of that many characters (UTF-16 units). */
  showAll(characters: number): string
  /** Opens the rest of a list that long. */
  showMore(items: number): string
  /** Stands in a preview for that many characters that are left out of it. */
  omitted(characters: number): string
  /** Turns the input into something that can be changed. */
  readonly edit: string
  /** While the editor or the form for the person's fields is fetched. */
  readonly loading: string
  /** Stands before the browser's own words for why it could not be fetched. */
  readonly loadFailed: string
  readonly tryAgain: string
  /** While what has changed of the tool is fetched: until it is shown there can be no yes. */
  readonly changeLoading: string
  /** Stands before the browser's own words for why it could not be fetched. */
  readonly changeLoadFailed: string
  /** Label of the field for a reason, which goes with either answer. */
  readonly note: string
  readonly deny: string
  readonly approve: string
  /** The same button while the field for the reason holds something: that is sent too. */
  readonly approveWithNote: string
  /** The same button when the person fills in fields. */
  readonly approveFields: string
  readonly approveFieldsWithNote: string
  /** Label of the choice for how long the yes holds. */
  readonly remember: string
  readonly rememberOnce: string
  readonly rememberSession: string
  readonly rememberAlways: string
  /** Label of the choice what the yes holds for. */
  readonly rememberFor: string
  readonly rememberInput: string
  readonly rememberTool: string
  /** Warns of a yes for whatever the tool is called with. */
  readonly rememberToolWarning: string
  /** Told to the model: the dialog went away, for example with the part of the page that held it. */
  readonly removed: string
  /** Sentences of the editor that replace the English ones, which are fetched with the editor. */
  readonly editor: Partial<EditorTexts>
  /** Sentences about a change of the tool that replace the English ones, which are fetched when one is shown. */
  readonly change: Partial<ChangeTexts>
  /** Sentences about why the policy asks that replace the English ones. */
  readonly policy: Partial<PolicyViewTexts>
  /** Sentences of the questions of servers that replace the English ones, which are fetched with the first question. */
  readonly elicit: Partial<ElicitTexts>
}

const count = (value: number) => value.toLocaleString('en')

/** The English texts, which are the default. */
export const dialogTextsEn: DialogTexts = {
  lang: 'en',
  title: 'Allow this tool to run?',
  position: (index, total) => `${count(index)} of ${count(total)}`,
  waiting: 'Waiting for your answer',
  pick: 'Show the request',
  ended: 'no longer waiting',
  origin: 'From',
  originApp: 'this app',
  originBuiltin: 'this app (built in)',
  originServer: 'MCP server',
  originPage: 'page',
  originForeign: 'another library:',
  reasons: 'Why you are asked',
  userFields: 'For you to fill in',
  input: 'Input',
  noInput: 'No input.',
  details: 'What will run',
  showAll: (characters) => `Show all ${count(characters)} characters`,
  showMore: (items) => `Show ${count(items)} more`,
  omitted: (characters) => `… ${count(characters)} more characters …`,
  edit: 'Edit',
  loading: 'Loading the form …',
  loadFailed: 'The form could not be loaded:',
  tryAgain: 'Try again',
  changeLoading: 'Loading what has changed …',
  changeLoadFailed: 'What has changed could not be loaded:',
  note: 'Reason for denying, or a note with your yes (optional)',
  deny: 'Deny',
  approve: 'Approve',
  approveWithNote: 'Approve with note',
  approveFields: 'Approve with entries',
  approveFieldsWithNote: 'Approve with entries and note',
  remember: 'How long your yes holds',
  rememberOnce: 'Only this time',
  rememberSession: 'While this page is open',
  rememberAlways: 'Always, until you revoke it',
  rememberFor: 'What it holds for',
  rememberInput: 'Exactly this input',
  rememberTool: 'Every call of this tool',
  rememberToolWarning: 'This tool will then run with any input, without asking you.',
  ...askingTextsEn,
  removed: 'the dialog was removed from the page',
  editor: {},
  change: {},
  policy: {},
  elicit: {},
}
