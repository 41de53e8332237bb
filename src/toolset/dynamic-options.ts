import { checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { CacheKey } from './keyed-cache.ts'

/** How long what a factory made serves further runs. */
export interface FactoryCache<Deps = unknown> {
  /** Runs of one key share what was made, so it must tell apart whose tools differ. `undefined`: made for this run alone. */
  key(context: StepContext<Deps>): CacheKey | undefined | Promise<CacheKey | undefined>
  /** In milliseconds, from when it was made. */
  readonly ttlMs: number
  /** Beyond that many the one that was used least recently is forgotten. */
  readonly maxEntries: number
}

/** What {@link dynamic} takes beside the factory. */
export interface DynamicOptions<Deps = unknown> {
  /** Whether the factory is asked once for each run, or for each step. @default 'run' */
  readonly per?: 'run' | 'step'
  /** @default no cache */
  readonly cache?: FactoryCache<Deps>
  /**
   * Whether the sources that the factory gives are closed when the run, or the step, is over. Not together with
   * `cache`. @default false: it may give a pool that others use too
   */
  readonly closes?: boolean
}

/**
 * The key of a context.
 *
 * @throws {@link ToolRegistrationError} for a key that would never be found again.
 */
export async function readKey(
  cache: FactoryCache<never>,
  context: StepContext,
): Promise<CacheKey | undefined> {
  const key: unknown = await cache.key(context as StepContext<never>)
  if (key === undefined || typeof key === 'string' || typeof key === 'number') return key
  throw new ToolRegistrationError(
    `dynamic(), cache.key: expected a string, a number, or undefined for no cache; it gave ${key === null ? 'null' : typeof key}.`,
  )
}

/** Throws a {@link ToolRegistrationError} for options that cannot work. */
export function checkedOptions(factory: unknown, options: DynamicOptions<never>): DynamicOptions<never> {
  const where = 'dynamic()'
  if (typeof factory !== 'function') {
    throw new ToolRegistrationError(`${where}: expected a function, (context) => [ … ].`)
  }
  checkOptions(options, ['per', 'cache', 'closes'], where)
  const { per, cache, closes } = options
  if (per !== undefined && per !== 'run' && per !== 'step') {
    throw new ToolRegistrationError(`${where}, per: expected "run" or "step".`)
  }
  if (closes !== undefined && typeof closes !== 'boolean') {
    throw new ToolRegistrationError(`${where}, closes: expected true or false.`)
  }
  if (cache === undefined) return options
  if (closes) {
    throw new ToolRegistrationError(
      `${where}: what is cached outlives a run, so closes and cache do not go together. Use clear({ close: true }).`,
    )
  }
  checkCache(cache, `${where}, cache`)
  return options
}

function checkCache(cache: FactoryCache<never>, where: string): void {
  checkOptions(cache, ['key', 'ttlMs', 'maxEntries'], where)
  if (typeof cache.key !== 'function') {
    throw new ToolRegistrationError(`${where}.key: expected a function, (context) => context.deps.userId.`)
  }
  if (cache.ttlMs === undefined) {
    throw new ToolRegistrationError(`${where}: say with ttlMs how many milliseconds the tools are kept.`)
  }
  checkMilliseconds(cache.ttlMs, 'ttlMs', where)
  if (!(Number.isInteger(cache.maxEntries) && cache.maxEntries >= 1)) {
    throw new ToolRegistrationError(`${where}: maxEntries must be a whole number of at least 1.`)
  }
}
