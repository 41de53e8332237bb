/**
 * Every sentence of the confirmation dialog. Replace any of them with the `texts` option; complete sets
 * ship as {@link dialogTextsEn} and `dialogTextsZh`.
 */
export interface DialogTexts {
  /** The language of the texts, as in HTML's `lang`. */
  readonly lang: string
  readonly title: string
  /** Where a request stands when several wait; `index` counts from 1. */
  position(index: number, total: number): string
  /** What the origin of the tool is called. */
  readonly origin: string
  readonly originApp: string
  readonly originBuiltin: string
  /** Stands before the name of an MCP server. */
  readonly originServer: string
  /** Stands before the address of a page that offers the tool. */
  readonly originPage: string
  /** Heading of the reasons. */
  readonly reasons: string
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
  /** Label of the field for the reason of a denial. */
  readonly denialReason: string
  readonly deny: string
  readonly approve: string
  /** Told to the model: nobody answered in time. */
  timedOut(timeoutMs: number): string
  /** Told to the model: the run was stopped while the question was open. */
  readonly withdrawn: string
  /** Told to the model: the dialog went away, for example with the part of the page that held it. */
  readonly removed: string
}

const count = (value: number) => value.toLocaleString('en')

/** The English texts, which are the default. */
export const dialogTextsEn: DialogTexts = {
  lang: 'en',
  title: 'Allow this tool to run?',
  position: (index, total) => `${count(index)} of ${count(total)}`,
  origin: 'From',
  originApp: 'this app',
  originBuiltin: 'this app (built in)',
  originServer: 'MCP server',
  originPage: 'page',
  reasons: 'Why you are asked',
  input: 'Input',
  noInput: 'No input.',
  details: 'What will run',
  showAll: (characters) => `Show all ${count(characters)} characters`,
  showMore: (items) => `Show ${count(items)} more`,
  omitted: (characters) => `… ${count(characters)} more characters …`,
  denialReason: 'Reason for denying (optional)',
  deny: 'Deny',
  approve: 'Approve',
  timedOut: (timeoutMs) => `nobody answered within ${count(timeoutMs / 1000)} s`,
  withdrawn: 'the run was stopped',
  removed: 'the dialog was removed from the page',
}
