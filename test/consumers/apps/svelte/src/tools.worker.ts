import { serveTools } from 'offstage/worker'
import { describeSettings } from './describe-settings'
import { countWords } from './notes/count-words'

export const tools = [countWords, describeSettings] as const

serveTools(tools)
