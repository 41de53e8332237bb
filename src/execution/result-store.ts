/**
 * Where the texts of results are kept that are too long for a model. Made with `opfsResultStore()` or
 * `memoryResultStore()`; an app may bring its own. A method that rejects, or takes longer than ten seconds, costs no call
 * its result: the model then reads that the rest cannot be read.
 */
export interface ResultStore {
  /**
   * Keeps a text.
   *
   * @param owner - For whom: the id of a run, or of the conversation of a session. A name like `run_12_a`.
   * @param handle - New each time, like `result-` and 24 hexadecimal digits: a name that any file may have. Who has it
   * can read the text, so that it must not get into logs.
   */
  put(owner: string, handle: string, text: string): Promise<void>
  /** The text that was kept under a handle for this very owner; undefined when there is none, or for another owner. */
  read(owner: string, handle: string): Promise<string | undefined>
  /** The handles that are kept for an owner. */
  list(owner: string): Promise<readonly string[]>
  /** Deletes all that is kept for an owner, who is over. Nothing to delete is no error. */
  delete(owner: string): Promise<void>
}
