/** The sentences that are needed before the dialog was fetched. */
export interface AskingTexts {
  /** Told to the model: nobody answered in time. */
  timedOut(timeoutMs: number): string
  /** Told to the model: the run was stopped while the question was open. */
  readonly withdrawn: string
  /** Told to the model: the dialog itself could not be fetched. `why` are the browser's own words. */
  notLoaded(why: string): string
}

/** The English ones, which are the default. */
export const askingTextsEn: AskingTexts = {
  timedOut: (timeoutMs) => `nobody answered within ${(timeoutMs / 1000).toLocaleString('en')} s`,
  withdrawn: 'the run was stopped',
  notLoaded: (why) => `the dialog could not be loaded: ${why}; it may help to reload the page`,
}
