import { serveTools } from 'offstage/worker'
import { countErrors } from './count-errors.ts'

export const tools = [countErrors] as const

serveTools(tools)
