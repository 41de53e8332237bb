import { serveTools } from 'offstage/worker'
import { add, spin, workerNotes } from './insecure-tools.ts'

export const tools = [add, spin, workerNotes] as const

serveTools(tools)
