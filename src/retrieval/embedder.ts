/** Makes vectors of texts: texts that mean the same are near each other. For example a model that runs in the page. */
export interface Embedder {
  /** One vector for each text, all of one length; they need not be normalized. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  /**
   * Whether a query and a tool may be of different languages, or of one that is written without spaces: Chinese,
   * Japanese, Korean, Thai and others. Such queries are compared by their words alone otherwise.
   *
   * @default false
   */
  readonly multilingual?: boolean
}

/** What an {@link Embedder} is told beside the texts. */
export interface EmbedOptions {
  /** Aborts when nobody waits for the vectors any more. */
  readonly signal: AbortSignal
}
