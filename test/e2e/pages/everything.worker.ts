import { serveTools } from 'offstage/worker'
import { add, spin, workerNotes } from './everything-tools.ts'

export const tools = [add, spin, workerNotes] as const

serveTools(tools)
