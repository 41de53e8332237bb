import { killMany, measureKill } from './kill.ts'
import { measureWorkers } from './workers.ts'

Object.assign(globalThis, { bench: { killMany, measureKill, measureWorkers } })
