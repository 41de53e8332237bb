import { type ErrorData, errorToData } from '../tool/error-data.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import { gone } from './tool-source.ts'

/** How a call ends that leads nowhere. */
export type DeadEnd = ReturnType<typeof gone> | { readonly kind: 'crash'; readonly error: ErrorData }

/** Uses what is found under the name of a call. That nothing is there, or cannot be looked for, is an answer too. */
export async function routed<Route, Answer>(
  name: string,
  find: () => Promise<Route | undefined>,
  use: (route: Route) => MaybePromise<Answer>,
): Promise<Answer | DeadEnd> {
  let route: Route | undefined
  try {
    route = await find()
  } catch (error) {
    return { kind: 'crash', error: errorToData(error) }
  }
  return route === undefined ? gone(name) : use(route)
}
