import { type DialogTexts, dialogTextsEn } from './dialog-texts.ts'

/**
 * Every sentence of `<offstage-grants>`. Replace any of them with the `texts` option; complete sets ship as
 * {@link grantsTextsEn} and `grantsTextsZh`.
 */
export interface GrantsTexts {
  /** The language of the texts, as in HTML's `lang`. */
  readonly lang: string
  readonly title: string
  /** Says what is listed, above the list. */
  readonly about: string
  /** Stands in place of an empty list. */
  readonly empty: string
  /** When a grant was given. */
  granted(time: Date): string
  readonly revoke: string
  readonly revokeAll: string
  /** Told after a grant was revoked; the name of the tool follows. */
  readonly revoked: string
  readonly revokedAll: string
  /** Told when the storage failed. */
  readonly failed: string
  /** Warns that grants for always do not outlive the page. */
  readonly notKept: string
  /** How origins, inputs and durations are told: the texts of the confirmation dialog. */
  readonly dialog: DialogTexts
}

/** The English texts, which are the default. */
export const grantsTextsEn: GrantsTexts = {
  lang: 'en',
  title: 'Allowed without asking',
  about:
    'These tools run without asking you first. Revoke what you no longer want; you are asked again then.',
  empty:
    'Nothing is allowed without asking. What you tell the app to remember when it asks you appears here.',
  granted: (time) => `Allowed ${time.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}`,
  revoke: 'Revoke',
  revokeAll: 'Revoke all',
  revoked: 'Revoked:',
  revokedAll: 'Everything is revoked.',
  failed:
    'That did not work: the browser’s storage failed. What is still listed is still allowed. Try again.',
  notKept: 'The browser keeps nothing here: what you allow always holds only while this page is open.',
  dialog: dialogTextsEn,
}
