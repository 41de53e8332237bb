/** Every sentence of the dialog in which a server asks the person. */
export interface ElicitTexts {
  readonly formTitle: string
  readonly urlTitle: string
  /** Stands in place of the name of a server that has none. */
  readonly unknownServer: string
  /** Label of the scrolling part with what the server says and asks. */
  readonly details: string
  /** What the question is called in the list of all that wait. */
  readonly question: string
  readonly message: string
  /** Heading of the form. */
  readonly fields: string
  /** Who gets what is filled in. */
  readonly formAbout: string
  /** Heading of the address. */
  readonly address: string
  /** What the button will do. */
  readonly urlAbout: string
  /** Stands before a host's name in the letters that it stands for. */
  readonly readsAs: string
  /** Warns of letters that look like others. */
  readonly lookalikes: string
  readonly send: string
  readonly open: string
  readonly decline: string
  readonly cancel: string
}

/** The English texts of a server's question. */
export const elicitTextsEn: ElicitTexts = {
  formTitle: 'A server asks you for information',
  urlTitle: 'A server asks you to open a page',
  unknownServer: 'unknown server',
  details: 'What is asked',
  question: 'A server asks',
  message: 'Message',
  fields: 'For you to fill in',
  formAbout: 'The server receives what you send. Never write a password here.',
  address: 'Address',
  urlAbout: 'It opens in a new tab. Open it only if you know this address.',
  readsAs: 'The name reads',
  lookalikes: 'Its letters can look like those of another name.',
  send: 'Send',
  open: 'Open the page',
  decline: 'Decline',
  cancel: 'Not now',
}
