import { latePart } from '../tool/late-part.ts'
import type { openServer } from './open-server.ts'
import type { ServerLists } from './server-lists.ts'

/** All of a client that works. */
export interface LateServer {
  readonly openServer: typeof openServer
  readonly serverLists: ServerLists
}

/** It is fetched when something is first asked of a server. */
export const lateServer: () => LateServer | Promise<LateServer> = latePart(async () => {
  const [{ openServer }, { serverLists }] = await Promise.all([
    import('./open-server.ts'),
    import('./server-lists.ts'),
  ])
  return { openServer, serverLists }
})
