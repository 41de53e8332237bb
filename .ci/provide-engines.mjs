import { installPackages } from './system-packages.mjs'

/** @typedef {import('./engines.mjs').Engine} Engine */
/** An engine with its program's path, or with what to tell the person when there is none. */
/** @typedef {{ engine: Engine, path: string } | { engine: Engine, path?: undefined, problem: string }} Provided */

/**
 * Finds each engine: the program that its variable names, else one that is installed, else one newly installed
 * from the system's packages, all missing ones at once, else from where else it may come.
 * @param {readonly Engine[]} engines
 * @param {typeof installPackages} [install]
 * @returns {Promise<Provided[]>}
 */
export async function provideEngines(engines, install = installPackages) {
  const first = await Promise.all(engines.map(findEngine))
  const missing = first.filter(isInstallable).map(({ engine }) => engine)
  if (missing.length > 0) await install(missing.map(({ packages }) => packages))
  /** @type {Provided[]} */
  const provided = []
  for (const found of first) provided.push(isInstallable(found) ? await findAgain(found.engine) : found)
  return provided
}

/** @param {Provided} provided */
function isInstallable({ engine, path }) {
  return path === undefined && !process.env[engine.variable]
}

/**
 * @param {Engine} engine
 * @returns {Promise<Provided>}
 */
async function findEngine(engine) {
  const named = process.env[engine.variable]
  if (named) {
    if (engine.starts(named)) return { engine, path: named }
    const problem = `${engine.variable} is ${named}, but that does not start. Correct the path, or unset it.`
    return { engine, problem }
  }
  const path = engine.candidates().find(engine.starts) ?? (await engine.elsewhere?.find())
  return path === undefined ? { engine, problem: noneFound(engine) } : { engine, path }
}

/** @param {Engine} engine */
async function findAgain(engine) {
  const found = await findEngine(engine)
  if (found.path !== undefined || engine.elsewhere === undefined) return found
  await engine.elsewhere.install()
  return findEngine(engine)
}

/** @param {Engine} engine */
function noneFound({ title, advice }) {
  return `No ${title} was found, and none could be installed. To have its tests run, do one of these:\n${advice}`
}
