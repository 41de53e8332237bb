/**
 * Evaluates modules that use zod without its attempt to compile code: under a strict Content Security Policy that
 * fails, is caught, and is still reported as a violation. zod reads this setting when a schema is made, and the
 * setting is for all copies of it: so it is put back for the schemas of the app.
 */
export async function withQuietZod<T>(load: () => Promise<T>): Promise<T> {
  const place = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
  // What zod itself does when it finds none.
  place.__zod_globalConfig ??= {}
  const config = place.__zod_globalConfig
  const before = config.jitless
  config.jitless = true
  try {
    return await load()
  } finally {
    if (before === undefined) delete config.jitless
    else config.jitless = before
  }
}
