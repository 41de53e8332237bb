import { NotesTool } from 'offstage/tools'
import { serveTools } from 'offstage/worker'

export const tools = [new NotesTool()] as const

serveTools(tools)
