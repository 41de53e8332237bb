import { serveTools } from 'offstage/worker'
import { countPrimes } from './count-primes.ts'

export const tools = [countPrimes] as const

serveTools(tools)
