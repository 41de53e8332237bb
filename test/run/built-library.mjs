import { buildLibrary } from '../../.ci/build-library.mjs'

/** Builds the library before the tests that import it by name in plain Node, or pack it. */
export async function setup() {
  // Errors do not end the run: `npm run types` reports them, and the tests of the sources still count.
  await buildLibrary()
}
