import { serveTools } from 'offstage/worker'
import { countPrimes } from '../02-pool/count-primes.ts'
import { rollForever, sayHello } from '../03-runaway/runaway-tools.ts'
import { countErrors } from '../05-agent/count-errors.ts'

export const tools = [countPrimes, countErrors, rollForever, sayHello] as const

serveTools(tools)
