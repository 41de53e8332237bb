import { killMany, measureKill } from './kill.ts'
import { measureLoop, runMany } from './loop.ts'
import { measureWorkers } from './workers.ts'

Object.assign(globalThis, { bench: { killMany, measureKill, measureLoop, measureWorkers, runMany } })
