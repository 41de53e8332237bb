import { serveTools } from 'offstage/worker'
import { countWords } from './notes/count-words'

export const tools = [countWords] as const

serveTools(tools)
