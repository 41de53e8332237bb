import { serveTools } from 'offstage/worker'
import { rollForever, sayHello } from './runaway-tools.ts'

export const tools = [rollForever, sayHello] as const

serveTools(tools)
