import { serveTools } from 'offstage/worker'
import { answer, writeForever } from './kill-tools.ts'

export const tools = [writeForever, answer] as const

serveTools(tools)
