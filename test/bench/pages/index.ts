import { measureWorkerAttacks } from './attacks.ts'
import { killMany, measureKill } from './kill.ts'
import { measureLoop, runMany } from './loop.ts'
import { measureMcp } from './mcp.ts'
import { measureRetrievalHere } from './retrieval.ts'
import { measureStream } from './stream.ts'
import { measureWorkers } from './workers.ts'

Object.assign(globalThis, {
  bench: {
    ...{ killMany, measureKill, measureLoop, measureMcp, measureStream, measureWorkers, runMany },
    ...{ measureRetrieval: measureRetrievalHere, measureWorkerAttacks },
  },
})
