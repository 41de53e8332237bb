/** Every sentence that says why the policy has the person asked. */
export interface PolicyViewTexts {
  /**
   * A rule of the default policy in short, because what was read is listed below it; empty where a heading says it.
   * Undefined: its own reason is shown as it stands, as that of any other rule is.
   */
  inShort(rule: string): string | undefined
  /** Opens the reasons as the rules gave them. */
  readonly inFull: string
  /** Heading of the addresses and hosts that nobody trusted has named. */
  readonly destinations: string
  /** Stands before the name of a host as a browser shows it, where it is written in other letters. */
  readonly looksLike: string
  /** Heading of what was read and is not to be trusted. */
  readonly untrusted: string
  /** Heading of where private data was read. */
  readonly secrets: string
  /** What a source is; each stands before the name of a tool, the last one before that of a server. */
  readonly page: string
  readonly result: string
  readonly history: string
  readonly description: string
}

const shortEn: ReadonlyMap<string, string> = new Map([
  ['untrusted-effect', 'This call may be what text from outside wants, and not what you want.'],
  ['private-egress', 'It sends its input away: look whether something private is in it.'],
  ['revealed-tool', 'This tool was not offered before the agent had read text from outside.'],
  ['unknown-destination', ''],
])

/** The English texts, which are the default. */
export const policyViewTextsEn: PolicyViewTexts = {
  inShort: (rule) => shortEn.get(rule),
  inFull: 'The reasons in full',
  destinations: 'It would reach this, which neither you nor this app has named',
  looksLike: 'looks like',
  untrusted: 'The agent has read this, which is not to be trusted',
  secrets: 'Private data that the agent has read',
  page: 'a page, read with the tool',
  result: 'a result of the tool',
  history: 'earlier in this conversation, a result of the tool',
  description: 'what tools say of themselves, which nobody has accepted, from',
}
