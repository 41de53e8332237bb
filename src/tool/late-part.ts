import { errorToData } from './error-data.ts'

/**
 * A part of the library that a page fetches with import() when it is first needed, so that it need not ship at start.
 * Once it is there it is given at once. After a failure the next call tries again; some browsers remember the failure
 * until the page is loaded anew (https://github.com/whatwg/html/issues/6768).
 *
 * @param load - Takes what it needs out of the module itself: a bundler's own import() may give undefined where it has
 * reported a failure.
 * @throws Error, from the promise, that says what could not be fetched and what helps.
 */
export function latePart<Part extends object>(load: () => Promise<Part>): () => Part | Promise<Part> {
  let part: Part | undefined
  let loading: Promise<Part> | undefined
  const begin = async (): Promise<Part> => {
    try {
      part = await load()
      return part
    } catch (error) {
      loading = undefined
      throw new Error(
        `A part of the library could not be loaded (${errorToData(error).message}). ` +
          'A new release of the page may have replaced its file: reload the page.',
        { cause: error },
      )
    }
  }
  return () => {
    if (part !== undefined) return part
    loading ??= begin()
    return loading
  }
}
